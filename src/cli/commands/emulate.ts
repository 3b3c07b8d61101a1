import { checkBasePath } from '../../emulator/check-base-path.js'
import { startEmulator } from '../../emulator/server.js'
import type { ArgumentsOf } from '../command.js'
import type { emulate as declaration } from '../declarations/tools.js'
import { parseEmulatedVersion, parseSpeed, parseStageTimes } from '../emulator/emulator-options.js'
import { formatUnmetFaults, parseFaults, selectScenarios } from '../emulator/scenario-options.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseWhole } from '../options.js'
import { fail } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'

/** Runs the emulator on a loopback port; its address is the first line on stdout, its page a line for a person. */
export async function emulate(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { color, quiet, 'base-path': basePath, 'service-version': serviceVersion } = argv
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
  }
  const { ofAll, ofSites: siteFaults } = parseFaults(argv.fault, chosen.sites)
  const scenario = await selectScenarios(argv.scenario, ofAll, host)
  if (!scenario.ok)
    return fail(host, scenario.error.failure, { targets: [], color, readLines: scenario.error.readLines })
  const fidelity = argv.fidelity ?? scenario.value.fidelity ?? 'document'
  if (scenario.value.fidelity !== undefined && scenario.value.fidelity !== fidelity)
    throw new UsageError(`the scenario needs --fidelity ${scenario.value.fidelity}, not ${fidelity}`)
  const version =
    serviceVersion === undefined ? {} : { version: parseEmulatedVersion(serviceVersion, fidelity) }
  const started = await startEmulator({
    ...scenario.value,
    ...chosen,
    ...version,
    fidelity,
    siteFaults,
  }).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
  if (typeof started === 'string') {
    const message = `the emulator cannot listen on port ${port} (${started})`
    const context = { targets: [], color, readLines: () => undefined }
    return fail(host, { exitCode: exitCodes.unreachable, message, next: 'choose another --port' }, context)
  }
  host.stdout.print(started.sites.map(({ url }) => `${url}\n`).join(''))
  if (host.stderr.isTerminal && !quiet) host.stderr.print(`open ${started.pageUrl} to watch\n`)
  // If the address could not be printed, the emulator is of no use.
  if (!host.stdout.isBroken) await new Promise<void>(resolve => host.onSignal(() => resolve()))
  await started.close()
  if (!quiet) host.stderr.print(formatUnmetFaults(started.sites))
  return exitCodes.done
}
