import { hasEnded, type Rollout, type Run, type WorkerLease } from './run.js'

/** A worker as it was seen. */
export interface SeenWorker extends WorkerLease {
  /** Its lease is over: others take its sites. */
  readonly isSilent: boolean
}

/** What a person sees of a fleet at one moment. */
export interface FleetLook {
  /** By the clock of the database, as all times are. */
  readonly now: number
  /** The newest run of each site, those that need a person first. */
  readonly runs: readonly Run[]
  /** Those that the runs belong to. */
  readonly rollouts: readonly Rollout[]
  readonly workers: readonly SeenWorker[]
}

/** True where something more happens to a run by itself: after a wave that stopped the rest waits for a person. */
export function goesOn(
  { state, rollout }: Pick<Run, 'state' | 'rollout'>,
  rollouts: readonly Rollout[],
): boolean {
  if (hasEnded(state)) return false
  return state !== 'waiting' || rollouts.find(({ id }) => id === rollout)?.state !== 'stopped'
}
