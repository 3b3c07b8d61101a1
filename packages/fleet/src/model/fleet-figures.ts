import type { RunState } from './run.js'

/** What the database says of the whole fleet at one moment. */
export interface FleetFigures {
  /** Sites by the state of their newest run. */
  readonly sites: Readonly<Record<RunState, number>>
  /** How long the site that waits longest for a worker has waited; 0 where none does. */
  readonly oldestQueuedSeconds: number
  /** Workers that hold their lease. */
  readonly workers: number
  /** How many sites all of them have at once at most. */
  readonly workerLimit: number
  readonly stoppedRollouts: number
}
