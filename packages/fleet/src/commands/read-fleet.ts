import { type ExitCode, exitCodeByEndState, exitCodes, severityOrder, worstExitCode } from 'landform/cli'
import { hasEnded, type RunState } from 'landform/sites'
import { readClock, readWorkers } from '../database/workers.js'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import { compareByUrgency, type Run } from '../model/run.js'
import type { OpenFleet } from './open-fleet.js'

/** Selects the sites to show; all by default. */
export interface SiteSelection {
  /** Their addresses. */
  readonly sites?: readonly string[]
  readonly states?: readonly RunState[]
}

/** Maximum time between writing and commit, in milliseconds. */
const maxCommitDelayMs = 60_000

/**
 * Returns a function that reads the sites with their rollouts and the workers; after the first call it reads only changed
 * sites.
 */
export function createFleetReader(
  { database, store }: OpenFleet,
  { sites, states }: SiteSelection,
): () => Promise<FleetSnapshot> {
  const known = new Map<string, Run>()
  let seenAt: number | undefined
  return async () => {
    const now = await readClock(database)
    const changed = await store.runs({
      ...(sites !== undefined && { sites }),
      ...(seenAt !== undefined && { changedAfter: seenAt - maxCommitDelayMs }),
    })
    for (const run of changed) known.set(run.site, run)
    seenAt = now
    const runs = [...known.values()]
      .filter(({ state }) => states?.includes(state) ?? true)
      .sort(compareByUrgency)
    const ids = new Set(runs.map(({ rollout }) => rollout))
    return {
      now,
      runs,
      rollouts: (await store.rollouts()).filter(({ id }) => ids.has(id)),
      workers: await readWorkers(database),
    }
  }
}

/** Returns the worst of the exit codes that an apply to each of these sites would have returned. */
export function selectExitCode(runs: readonly Run[]): ExitCode {
  return worstExitCode(runs.map(selectRunExitCode))
}

function selectRunExitCode({ state, exitCode }: Run): ExitCode {
  if (!hasEnded(state)) return exitCodes.inProgress
  return severityOrder.find(code => code === exitCode) ?? exitCodeByEndState[state]
}
