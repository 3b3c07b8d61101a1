import { type ExitCode, exitCodes, severityOrder, worstExitCode } from '../../../../src/cli/exit-code.js'
import { readClock, readWorkers } from '../database/workers.js'
import type { FleetLook } from '../model/fleet-look.js'
import { byNeed, hasEnded, type Run, type RunState } from '../model/run.js'
import type { OpenFleet } from './open-fleet.js'

/** Which sites a person looks at; all where nothing is said. */
export interface Sight {
  /** Their addresses. */
  readonly sites?: readonly string[]
  readonly states?: readonly RunState[]
}

/** What is committed later than it was written is not older than this, in milliseconds. */
const latestMs = 60_000

/** Looks at sites and at what they belong to, as often as it is called; from the second time on only at what has changed. */
export function fleetSight(
  { database, store }: OpenFleet,
  { sites, states }: Sight,
): () => Promise<FleetLook> {
  const known = new Map<string, Run>()
  let seenAt: number | undefined
  return async () => {
    const now = await readClock(database)
    const changed = await store.runs({
      ...(sites !== undefined && { sites }),
      ...(seenAt !== undefined && { changedAfter: seenAt - latestMs }),
    })
    for (const run of changed) known.set(run.site, run)
    seenAt = now
    const runs = [...known.values()].filter(({ state }) => states?.includes(state) ?? true).sort(byNeed)
    const ids = new Set(runs.map(({ rollout }) => rollout))
    return {
      now,
      runs,
      rollouts: (await store.rollouts()).filter(({ id }) => ids.has(id)),
      workers: await readWorkers(database),
    }
  }
}

/** The worst of what an apply to each of these sites would have ended with. */
export function exitCodeOfRuns(runs: readonly Run[]): ExitCode {
  return worstExitCode(runs.map(exitCodeOfRun))
}

function exitCodeOfRun({ state, exitCode }: Run): ExitCode {
  if (!hasEnded(state)) return exitCodes.inProgress
  const known = severityOrder.find(code => code === exitCode)
  return known ?? codes[state as keyof typeof codes]
}

/** Where a run ended without one, as those do that no worker had begun. */
const codes = {
  ambiguous: exitCodes.unknown,
  failed: exitCodes.serviceFailed,
  refused: exitCodes.refused,
  unfinished: exitCodes.inProgress,
  cancelled: exitCodes.interrupted,
  done: exitCodes.done,
} as const
