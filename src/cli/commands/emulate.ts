import { resolve } from 'node:path'
import { manifestVersions, newestVersion } from '../../contract/versions.js'
import { checkBasePath } from '../../emulator/base-paths.js'
import { fidelities } from '../../emulator/field/field-world.js'
import { startEmulator } from '../../emulator/server.js'
import { stopEmulator } from '../../emulator/stop.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { type ArgumentsOf, declare, flag, list, pair, text } from '../command.js'
import { commonOptions, scenarioOption } from '../command-options.js'
import {
  formatUnmetFaults,
  parseEmulatedVersion,
  parseFaults,
  parseSpeed,
  parseStageTimes,
  selectScenarios,
} from '../emulator/emulator-options.js'
import { listEmulators, noteEmulator } from '../emulator/running-emulators.js'
import type { Host } from '../host.js'
import { parseDuration, parseWhole } from '../options.js'
import { fail } from '../terminal/output.js'

const declaration = declare({
  name: 'emulate',
  describe: 'Run the emulator of the service until interrupted',
  touches: 'serves',
  arguments: [],
  options: {
    port: text('PORT', 'Port on 127.0.0.1, such as 4000; 0 takes a free one', { default: '0' }),
    'base-path': text('PATH', 'Path of the base URL, such as /arcgis/admin [default: a random one]'),
    detach: flag('Run in the background, and return once the emulator listens'),
    idle: text('TIME', 'End after this time without a request, such as 10m [default: 2h with --detach]'),
    list: flag('List the emulators that run on this machine'),
    stop: flag('Stop the emulator on --port, or all that were started in this folder'),
    'service-version': text(
      'VERSION',
      `Emulated version; newer operations and parameters do not exist [default: ${newestVersion}]`,
      { suggests: manifestVersions },
    ),
    fidelity: text(
      'SOURCE',
      'Respond as the service document says, or also as reported from the field [default: document]',
      { choices: fidelities },
    ),
    'stage-time': list(
      '[STAGE=]TIME',
      'Duration of each stage of a configuration, or of one [default: 250ms]',
    ),
    speed: text('FACTOR', 'Speed relative to real time, such as 60x', { default: '1x' }),
    seed: text('NUMBER', 'Seed of random stage times and faults, so that runs repeat'),
    sites: text('NUMBER', 'Number of sites; their addresses are printed one per line', { default: '1' }),
    ...scenarioOption,
    fault: list(
      'RULE',
      'Fault to inject, such as configure@1=drop-after (repeatable); a prefix 3: or 3-7: selects sites',
    ),
    accept: list('NAME', 'Undocumented parameter that configure accepts, such as one of spec.extra'),
    ...commonOptions,
  },
  examples: [
    ['emulate', 'then, with any secrets set: landform apply site.yaml --url URL --yes'],
    ['emulate --port 4000 --base-path /arcgis/admin --detach', 'in the background, at a fixed address'],
    ['emulate --stop', 'stop those that were started in this folder'],
    ['emulate --scenario drop-after-accept', 'a site whose response to configure is lost'],
    ['emulate --fault root@30%=status:503 --seed 7', 'a site that is unavailable three times in ten'],
  ],
  more: async () => (await import('../emulator/scenario-help.js')).scenarioHelp,
})

type Arguments = ArgumentsOf<typeof declaration>

/** Runs the emulator on a loopback port. Prints its addresses on stdout, and its page for a person on a terminal. */
async function emulate(argv: Arguments, host: Host): Promise<ExitCode> {
  const { color, quiet, 'base-path': basePath, 'service-version': serviceVersion } = argv
  if (argv.stop && argv.detach) throw new UsageError('--stop and --detach exclude each other')
  if (argv.list) return printEmulators(host)
  if (argv.stop) return argv.port === '0' ? stopInFolder(argv, host) : stopAtPort(argv, host)
  const port = parseWhole('port', argv.port, { from: 0, to: 65_535 })
  const problem = checkBasePath(basePath ?? '')
  if (problem !== undefined)
    throw new UsageError(`--base-path must be a path such as /arcgis/admin: ${problem}`)
  const stageTimes = argv['stage-time']
  const chosen = {
    port,
    ...(stageTimes.length > 0 && { stageMs: parseStageTimes(stageTimes) }),
    speed: parseSpeed(argv.speed),
    sites: parseWhole('sites', argv.sites, { from: 1, to: 10_000 }),
    ...(argv.seed !== undefined && { seed: parseWhole('seed', argv.seed, { from: 0, to: 2 ** 32 - 1 }) }),
    ...(basePath !== undefined && { basePath }),
    accept: argv.accept,
    ...(argv.idle !== undefined && { idleMs: parseDuration('idle', argv.idle) }),
  }
  if (argv.detach) return detachEmulator(argv, chosen.sites, host)
  const { ofAll, ofSites: siteFaults } = parseFaults(argv.fault, chosen.sites)
  const scenario = await selectScenarios(argv.scenario, ofAll, host)
  if (!scenario.ok) return fail(host, scenario.error.failure, { color, readLines: scenario.error.readLines })
  const fidelity = argv.fidelity ?? scenario.value.fidelity ?? 'document'
  if (scenario.value.fidelity !== undefined && scenario.value.fidelity !== fidelity)
    throw new UsageError(`the scenario needs --fidelity ${scenario.value.fidelity}, not ${fidelity}`)
  const version =
    serviceVersion === undefined ? {} : { version: parseEmulatedVersion(serviceVersion, fidelity) }
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const started = await startEmulator({
    ...scenario.value,
    ...chosen,
    ...version,
    fidelity,
    siteFaults,
    onStop: stop,
  }).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
  if (typeof started === 'string') {
    const inUse = started === 'EADDRINUSE'
    const message = inUse
      ? `port ${port} is in use`
      : `the emulator cannot listen on port ${port} (${started})`
    const next = inUse
      ? `choose another --port, or stop an emulator there: landform emulate --port ${port} --stop`
      : 'choose another --port'
    return fail(host, { exitCode: exitCodes.unreachable, message, next: [next] }, { color })
  }
  const forget = await noteEmulator(started, host)
  host.stdout.print(started.sites.map(({ url }) => `${url}\n`).join(''))
  if (host.stderr.isTerminal && !quiet) host.stderr.print(`open ${started.pageUrl} to watch\n`)
  host.onSignal(stop)
  // If its address could not be printed, the emulator is useless.
  if (!host.stdout.isBroken) await stopped
  await forget()
  await started.close()
  if (!quiet) host.stderr.print(formatUnmetFaults(started.sites))
  return exitCodes.done
}

/** Starts the emulator in the background; prints its addresses, and how to watch and stop it, once it listens. */
async function detachEmulator(argv: Arguments, sites: number, host: Host): Promise<ExitCode> {
  const { out, err, exitCode } = await host.startInBackground(formatWords(argv), sites)
  host.stdout.write(out)
  host.stderr.write(err)
  if (exitCode !== undefined) return exitCode as ExitCode
  const { origin, port } = new URL(out.split('\n', 1)[0] ?? '')
  const watch = `watch it at ${origin}/_emulator/, stop it with \`landform emulate --port ${port} --stop\``
  if (!argv.quiet) host.stderr.print(`${watch}\n`)
  return exitCodes.done
}

/** Stops the emulator on a port; returns once the port is free. */
async function stopAtPort({ port: text, quiet, color }: Arguments, host: Host): Promise<ExitCode> {
  const port = parseWhole('port', text, { from: 0, to: 65_535 })
  const outcome = await stopEmulator(port)
  if (outcome === 'stopped') {
    if (!quiet) host.stderr.print(`the emulator on port ${port} has stopped\n`)
    return exitCodes.done
  }
  const message =
    outcome === 'none' ? `nothing listens on port ${port}` : `the program on port ${port} is not an emulator`
  return fail(host, { exitCode: exitCodes.unreachable, message }, { color })
}

/** Stops the emulators that were started in this folder. */
async function stopInFolder({ quiet, color }: Arguments, host: Host): Promise<ExitCode> {
  const all = await listEmulators(host.environment)
  const here = all.filter(({ folder }) => folder === resolve('.'))
  for (const { port } of here) {
    await stopEmulator(port)
    if (!quiet) host.stderr.print(`the emulator on port ${port} has stopped\n`)
  }
  if (here.length > 0) return exitCodes.done
  const message = 'no emulator that was started in this folder is running'
  const failure = { exitCode: exitCodes.unreachable, message, next: ['landform emulate --list'] }
  return fail(host, failure, { color })
}

/** Lists the emulators that run on this machine, one per line. */
async function printEmulators(host: Host): Promise<ExitCode> {
  const all = await listEmulators(host.environment)
  const lines = all.map(({ url, startedAt, folder }) => `${url}  since ${startedAt}  in ${display(folder)}\n`)
  host.stdout.write(lines.length === 0 ? 'no emulator is running\n' : lines.join(''))
  return exitCodes.done
}

/** Formats the arguments as words of the command line, without `--detach`. */
function formatWords(argv: Arguments): readonly string[] {
  const values: Readonly<Record<string, unknown>> = { ...argv, idle: argv.idle ?? '2h' }
  const words = Object.entries(declaration.options).flatMap(([name, { kind }]) => {
    const value = values[name]
    if (name === 'detach' || value === undefined || value === false) return []
    if (kind === 'flag') return [`--${name}`]
    return [value].flat().map(one => `--${name}=${String(one)}`)
  })
  return ['emulate', ...words]
}

export const command = pair(declaration, emulate)
