import type { RunState } from 'landform/sites'

/** Figures of the whole fleet at one moment, from the database. */
export interface FleetFigures {
  /** Sites by the state of their newest run. */
  readonly sites: Readonly<Record<RunState, number>>
  /** Age of the longest wait for a worker; 0 if no site waits. */
  readonly oldestQueuedSeconds: number
  /** Workers with a valid lease. */
  readonly workers: number
  /** Sum of the site limits of all workers. */
  readonly workerLimit: number
  readonly stoppedRollouts: number
}
