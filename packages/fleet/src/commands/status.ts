import {
  type ArgumentsOf,
  canRedraw,
  type ExitCode,
  exitCodeByEndState,
  exitCodes,
  fleetFormats,
  type fleetStatus,
  type Host,
  paintFor,
  parseTargets,
  severityOrder,
  stopSignal,
  UsageError,
  worstExitCode,
} from 'landform/cli'
import { findSimilar, hasEnded, type RunState, runStates } from 'landform/sites'
import { createFleetReader } from '../database/view.js'
import { canContinue, type FleetSnapshot, type Run } from '../model/run.js'
import { formatChanges, formatFleet, formatFleetScreen, selectNextCommand } from '../report/fleet-status.js'
import { buildFleetDocument } from '../report/history.js'
import { reportFleet } from './open-fleet.js'
import { selectSites } from './select.js'

type StatusArguments = ArgumentsOf<typeof fleetStatus>

/** Shows the state of the sites of a fleet. Returns the worst of their exit codes, and writes nothing. */
export async function status(argv: StatusArguments, host: Host): Promise<ExitCode> {
  const states = argv.only.map(parseState)
  if (argv.watch && parseTargets(argv.format, fleetFormats).some(({ format }) => format !== 'text'))
    throw new UsageError('--watch shows text; run it without --watch for JSON')
  const show = (all: FleetSnapshot): FleetSnapshot => {
    const runs = all.runs.filter(({ state }) => states.length === 0 || states.includes(state))
    const ids = new Set(runs.map(({ rollout }) => rollout))
    return { ...all, runs, rollouts: all.rollouts.filter(({ id }) => ids.has(id)) }
  }
  return reportFleet(argv, host, async open => {
    const chosen = argv.sites.length === 0 ? undefined : selectSites(argv.sites, await open.store.runs())
    if (chosen?.ok === false) return chosen
    const read = createFleetReader(
      open,
      chosen?.value.map(({ site }) => site),
    )
    const watched = argv.watch ? await watchFleet({ read, show }, argv, host) : undefined
    const last = show(watched?.last ?? (await read()))
    const exitCode = watched?.exitCode ?? selectExitCode(last.runs)
    return {
      ok: true,
      value: {
        exitCode,
        document: buildFleetDocument(last, exitCode),
        text: paint => formatFleet(last, paint),
        next: selectNextCommand(last),
      },
    }
  })
}

function parseState(word: string): RunState {
  const state = runStates.find(one => one === word)
  if (state !== undefined) return state
  const meant = findSimilar(word, runStates)
  throw new UsageError(
    `--only names a state, ${meant === undefined ? `one of ${runStates.join(', ')}` : `such as ${meant}`}`,
  )
}

/** Returns the worst of the exit codes that an apply to each of these sites would have returned. */
export function selectExitCode(runs: readonly Run[]): ExitCode {
  return worstExitCode(
    runs.map(({ state, exitCode }) => {
      if (!hasEnded(state)) return exitCodes.inProgress
      return severityOrder.find(code => code === exitCode) ?? exitCodeByEndState[state]
    }),
  )
}

/** Time between two polls: short enough for a person, long enough for a database with many watchers. */
const pollMs = 2000

interface FleetViews {
  read(): Promise<FleetSnapshot>
  /** Selects the part to show. */
  show(all: FleetSnapshot): FleetSnapshot
}

/**
 * Polls the fleet until no site and, unless sites are named, no rollout can continue, or a person interrupts: redraws a
 * table on a terminal, and prints a line per change elsewhere.
 */
async function watchFleet({ read, show }: FleetViews, { color, quiet, sites }: StatusArguments, host: Host) {
  const { stderr, clock } = host
  const stop = stopSignal(host, () => 'stopped watching; the fleet continues')
  const isLive = canRedraw(host) && !quiet
  let before: FleetSnapshot | undefined
  try {
    for (;;) {
      const last = await read()
      const shown = show(last)
      const { columns, rows } = stderr
      if (isLive) stderr.pin(formatFleetScreen(shown, { paint: paintFor('stderr', color), columns, rows }))
      else if (!quiet) for (const line of formatChanges(before?.runs, shown.runs)) stderr.print(`${line}\n`)
      if (stop.signal.aborted) return { last, exitCode: stop.exitCode() }
      const isActive =
        last.runs.some(run => canContinue(run, last.rollouts)) ||
        (sites.length === 0 && last.rollouts.some(({ state }) => state === 'running'))
      if (!isActive) return { last, exitCode: selectExitCode(shown.runs) }
      before = shown
      await clock.sleep(pollMs, stop.signal)
    }
  } finally {
    if (isLive) {
      stderr.pin([])
      stderr.unpin()
    }
    stop.forget()
  }
}
