import { type ColorChoice, canRedraw, type ExitCode, type Host, paintFor, stopSignal } from 'landform/cli'
import { canContinue, type FleetSnapshot } from '../model/fleet-snapshot.js'
import { formatFleetScreen } from '../report/fleet-screen.js'
import { formatChanges } from '../report/run-changes.js'
import { selectExitCode } from './read-fleet.js'

/** Time between two polls: short enough for a person, long enough for a database with many watchers. */
const pollMs = 2000

/** The last state of the fleet, and the exit code. */
export interface FleetWatchResult {
  readonly last: FleetSnapshot
  readonly exitCode: ExitCode
}

/**
 * Polls the fleet until no run can continue, or a person interrupts: redraws a table on a terminal, and prints a line per
 * change elsewhere.
 */
export async function watchFleet(
  readSnapshot: () => Promise<FleetSnapshot>,
  { color, quiet }: { readonly color: ColorChoice; readonly quiet: boolean },
  host: Host,
): Promise<FleetWatchResult> {
  const { stderr, clock } = host
  const stop = stopSignal(host, () => 'stopped watching; the fleet continues')
  const isLive = canRedraw(host) && !quiet
  let before: FleetSnapshot | undefined
  try {
    for (;;) {
      const last = await readSnapshot()
      if (isLive)
        stderr.pin(
          formatFleetScreen(last, {
            paint: paintFor('stderr', color),
            columns: stderr.columns,
            rows: stderr.rows,
          }),
        )
      else if (!quiet) for (const line of formatChanges(before?.runs, last.runs)) stderr.print(`${line}\n`)
      if (stop.signal.aborted) return { last, exitCode: stop.exitCode() }
      if (!last.runs.some(run => canContinue(run, last.rollouts)))
        return { last, exitCode: selectExitCode(last.runs) }
      before = last
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
