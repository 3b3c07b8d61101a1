import { manifestVersions, newestVersion } from '../../contract/versions.js'
import { basePathProblem } from '../../emulator/base-path-problem.js'
import { fidelities } from '../../emulator/field/field-world.js'
import { startEmulator } from '../../emulator/server.js'
import { command } from '../command.js'
import { parseEmulatedVersion, parseSpeed, parseStageTimes, parseWhole } from '../emulator-options.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions } from '../options.js'
import { fail } from '../output.js'
import { scenarioOption } from '../scenario-option.js'
import { chosenScenarios, scenarioHelp, unmetWarnings } from '../scenario-options.js'
import { parseFaults } from '../site-faults.js'
import { UsageError } from '../usage-error.js'

/** Runs the emulator on a loopback port; its address is the first line on stdout, its page a line for a person. */
export const emulate = command({
  arguments: [],
  options: {
    port: {
      kind: 'text',
      value: 'PORT',
      default: '0',
      describe: 'Port on 127.0.0.1; 0 takes a free one',
    },
    'base-path': { kind: 'text', value: 'PATH', describe: 'Path of the base URL [default: a random one]' },
    'service-version': {
      kind: 'text',
      value: 'VERSION',
      suggests: manifestVersions,
      describe: `Version that is emulated; younger operations and parameters do not exist [default: ${newestVersion}]`,
    },
    fidelity: {
      kind: 'text',
      value: 'SOURCE',
      choices: fidelities,
      describe:
        'Answer as the service document shows, or where it is silent as reports from the field have it [default: document]',
    },
    'stage-time': {
      kind: 'list',
      value: '[STAGE=]TIME',
      describe: 'How long each stage of a configuration takes, or one of them [default: 250ms]',
    },
    speed: {
      kind: 'text',
      value: 'FACTOR',
      default: '1x',
      describe: 'How much faster than the clock the time of the service runs, such as 60x',
    },
    seed: {
      kind: 'text',
      value: 'NUMBER',
      describe: 'Spread the stage times by chance, and draw the faults of a share, the same way each time',
    },
    sites: {
      kind: 'text',
      value: 'NUMBER',
      default: '1',
      describe: 'How many sites there are; their addresses are printed one a line',
    },
    ...scenarioOption,
    fault: {
      kind: 'list',
      value: 'RULE',
      describe:
        'One thing that goes wrong, such as configure@1=drop-after, several times; 3: or 3-7: before it names sites',
    },
    accept: {
      kind: 'list',
      value: 'NAME',
      describe: 'A parameter that configure takes beside the documented ones, such as one of spec.extra',
    },
    ...commonOptions,
  },
  examples: [
    ['emulate', 'then, with any secrets set: landform apply site.yaml --url URL --yes'],
    ['emulate --scenario drop-after-accept', 'a site whose answer to configure is lost'],
    ['emulate --fault root@30%=status:503 --seed 7', 'a site that is in trouble three times in ten'],
  ],
  more: scenarioHelp,
  async run(argv, host) {
    const { color, quiet, 'base-path': basePath, 'service-version': serviceVersion } = argv
    const port = parseWhole('port', argv.port, { from: 0, to: 65_535 })
    const problem = basePathProblem(basePath ?? '')
    if (problem !== undefined) throw new UsageError(`--base-path is a path such as /arcgis/admin: ${problem}`)
    const stageTimes = argv['stage-time']
    const chosen = {
      port,
      ...(stageTimes.length > 0 && { stageMs: parseStageTimes(stageTimes) }),
      speed: parseSpeed(argv.speed),
      sites: parseWhole('sites', argv.sites, { from: 1, to: 10_000 }),
      ...(argv.seed !== undefined && { seed: parseWhole('seed', argv.seed, { from: 0, to: 2 ** 32 - 1 }) }),
      ...(basePath !== undefined && { basePath }),
      accept: argv.accept,
    }
    const { ofAll, ofSites: siteFaults } = parseFaults(argv.fault, chosen.sites)
    const scenario = await chosenScenarios(argv.scenario, ofAll, host)
    if (!scenario.ok) return fail(host, scenario.failure, { targets: [], color, linesOf: scenario.linesOf })
    const fidelity = argv.fidelity ?? scenario.options.fidelity ?? 'document'
    if (scenario.options.fidelity !== undefined && scenario.options.fidelity !== fidelity)
      throw new UsageError(`a scenario wants --fidelity ${scenario.options.fidelity}, not ${fidelity}`)
    const version =
      serviceVersion === undefined ? {} : { version: parseEmulatedVersion(serviceVersion, fidelity) }
    const started = await startEmulator({
      ...scenario.options,
      ...chosen,
      ...version,
      fidelity,
      siteFaults,
    }).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
    if (typeof started === 'string') {
      const message = `the emulator cannot listen on port ${port} (${started})`
      const context = { targets: [], color, linesOf: () => undefined }
      return fail(host, { exitCode: exitCodes.unreachable, message, next: 'choose another --port' }, context)
    }
    host.stdout.write(started.sites.map(({ url }) => `${url}\n`).join(''))
    if (host.stderr.isTerminal && !quiet) host.stderr.write(`open ${started.pageUrl} to watch\n`)
    // Nobody can know the address of one that could not say it.
    if (!host.stdout.isBroken) await new Promise<void>(resolve => host.onSignal(() => resolve()))
    await started.close()
    if (!quiet) host.stderr.write(unmetWarnings(started.sites))
    return exitCodes.done
  },
})
