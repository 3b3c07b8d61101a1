import {
  type ArgumentsOf,
  canRedraw,
  type ExitCode,
  exitCodeByEndState,
  exitCodes,
  fleetFormats,
  type fleetStatus,
  type Host,
  parseTargets,
  severityOrder,
  stopSignal,
  UsageError,
  worstExitCode,
} from 'landform/cli'
import type { Paint } from 'landform/report'
import { hasEnded } from 'landform/sites'
import { readFleet } from '../database/view.js'
import { canContinue, type FleetSnapshot, type Run } from '../model/run.js'
import { formatChanges, formatFleet, formatFleetScreen, selectNextCommand } from '../report/fleet-status.js'
import { buildFleetDocument } from '../report/history.js'
import { reportFleet } from './open-fleet.js'
import { selectSites } from './select.js'

type StatusArguments = ArgumentsOf<typeof fleetStatus>

/** Shows the state of the sites of a fleet. Returns the worst of their exit codes, and writes nothing. */
export async function status(argv: StatusArguments, host: Host): Promise<ExitCode> {
  if (argv.watch && parseTargets(argv.format, fleetFormats).some(({ format }) => format !== 'text'))
    throw new UsageError('--watch has only text output; omit it for JSON')
  return reportFleet(argv, host, async open => {
    const chosen = argv.sites.length === 0 ? undefined : selectSites(argv.sites, await open.store.runs())
    if (chosen?.ok === false) return chosen
    const addresses = chosen?.value.map(({ site }) => site)
    const read = () => readFleet(open, addresses)
    const watched = argv.watch ? await watchFleet(read, argv, host) : undefined
    const last = watched?.last ?? show(await read(), argv)
    const exitCode = watched?.exitCode ?? selectExitCode(last.runs)
    const document = buildFleetDocument(last, exitCode)
    const text = (paint: Paint) => formatFleet(last, paint)
    return { ok: true, value: { exitCode, document, text, next: selectNextCommand(last) } }
  })
}

function show({ runs: all, rollouts, ...rest }: FleetSnapshot, { only }: StatusArguments): FleetSnapshot {
  const runs = only.length === 0 ? all : all.filter(({ state }) => only.includes(state))
  return { ...rest, runs, rollouts: rollouts.filter(({ id }) => runs.some(({ rollout }) => rollout === id)) }
}

/** Returns the worst of the exit codes that `landform apply` would have returned for these sites. */
export function selectExitCode(runs: readonly Run[]): ExitCode {
  return worstExitCode(
    runs.map(({ state, exitCode }) => {
      if (!hasEnded(state)) return exitCodes.inProgress
      return severityOrder.find(code => code === exitCode) ?? exitCodeByEndState[state]
    }),
  )
}

/** The fleet in `fleet status --watch`. Short enough for a person, long enough for a database with many watchers. */
const pollMs = 2000

/**
 * Polls the fleet until a person interrupts, or no site and, unless sites are named, no rollout can continue. Redraws a
 * table on a terminal, and prints a line per change elsewhere.
 */
async function watchFleet(read: () => Promise<FleetSnapshot>, argv: StatusArguments, host: Host) {
  const { quiet, sites } = argv
  const { stderr, clock } = host
  const stop = stopSignal(host, () => 'stopped watching; the fleet continues')
  const isLive = canRedraw(host) && !quiet
  let before: readonly Run[] | undefined
  try {
    for (;;) {
      const all = await read()
      const last = show(all, argv)
      if (isLive) stderr.pin(formatFleetScreen(last, stderr))
      else if (!quiet) for (const line of formatChanges(before, last.runs)) stderr.print(`${line}\n`)
      if (stop.signal.aborted) return { last, exitCode: stop.exitCode() }
      const isActive =
        all.runs.some(run => canContinue(run, all.rollouts)) ||
        (sites.length === 0 && all.rollouts.some(({ state }) => state === 'running'))
      if (!isActive) return { last, exitCode: selectExitCode(last.runs) }
      before = last.runs
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
