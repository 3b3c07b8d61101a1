import {
  type ArgumentsOf,
  checkReports,
  type ExitCode,
  emit,
  exitCodes,
  type Failure,
  fail,
  fleetFormats,
  type fleetStatus,
  type Host,
  jsonText,
  paintFor,
  parseTargets,
  UsageError,
  worstExitCode,
} from 'landform/cli'
import { findSimilar, type RunState, runStates } from 'landform/sites'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import { formatFleet, selectNextCommand } from '../report/fleet-status.js'
import { buildFleetDocument } from '../report/run-document.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { createFleetReader, selectExitCode } from './read-fleet.js'
import { selectSites } from './select-sites.js'
import { watchFleet } from './watch-fleet.js'

type StatusArguments = ArgumentsOf<typeof fleetStatus>

/** Shows the state of the sites of a fleet. Returns the worst of their exit codes, and writes nothing. */
export async function status(argv: StatusArguments, host: Host): Promise<ExitCode> {
  const { color } = argv
  const states = argv.only.map(parseState)
  const targets = parseTargets(argv.format, fleetFormats)
  if (argv.watch && targets.some(({ format }) => format !== 'text'))
    throw new UsageError('--watch shows text; run it without --watch for JSON')
  await checkReports(
    targets.map(({ file }) => file),
    [],
  )
  const refuse = (failure: Failure) => fail(host, failure, { targets, color, readLines: () => undefined })
  const work = async (open: OpenFleet) => {
    const chosen = argv.sites.length === 0 ? undefined : selectSites(argv.sites, await open.store.runs())
    if (chosen?.ok === false) return refuse(chosen.error)
    const readSnapshot = createFleetReader(open, {
      ...(chosen !== undefined && { sites: chosen.value.map(({ site }) => site) }),
      ...(states.length > 0 && { states }),
    })
    const watched = argv.watch ? await watchFleet(readSnapshot, argv, host) : undefined
    const last: FleetSnapshot = watched?.last ?? (await readSnapshot())
    const exitCode = watched?.exitCode ?? selectExitCode(last.runs)
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json'
        ? jsonText(buildFleetDocument(last, exitCode))
        : formatFleet(last, paintFor('stdout', toFile ? 'never' : color)),
    )
    const next = selectNextCommand(last)
    if (next !== undefined && !argv.quiet) host.stderr.print(`next: ${next}\n`)
    return worstExitCode([exitCode, written ? exitCodes.done : exitCodes.state])
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}

function parseState(word: string): RunState {
  const state = runStates.find(one => one === word)
  if (state !== undefined) return state
  const meant = findSimilar(word, runStates)
  throw new UsageError(
    `--only names a state, ${meant === undefined ? `one of ${runStates.join(', ')}` : `such as ${meant}`}`,
  )
}
