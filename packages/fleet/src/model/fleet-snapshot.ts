import { hasEnded } from 'landform/sites'
import type { Rollout, Run, WorkerLease } from './run.js'

/** A worker with the state of its lease. */
export interface WorkerStatus extends WorkerLease {
  /** True if its lease has expired; other workers take over its sites. */
  readonly isSilent: boolean
}

/** A snapshot of a fleet for people. */
export interface FleetSnapshot {
  /** In milliseconds since 1970, by the clock of the database, as all times here. */
  readonly now: number
  /** The newest run of each site; those that need attention first. */
  readonly runs: readonly Run[]
  /** The rollouts that the runs belong to. */
  readonly rollouts: readonly Rollout[]
  readonly workers: readonly WorkerStatus[]
}

/** True if a run makes progress without a person. After a wave that stopped its rollout, the later waves wait for one. */
export function canContinue(
  { state, rollout }: Pick<Run, 'state' | 'rollout'>,
  rollouts: readonly Rollout[],
): boolean {
  if (hasEnded(state)) return false
  return state !== 'waiting' || rollouts.find(({ id }) => id === rollout)?.state !== 'stopped'
}
