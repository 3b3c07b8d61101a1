import type { RunState } from 'landform/sites'
import type { WorkerStatus } from './fleet-snapshot.js'
import type { Rollout, Run, RunKey } from './run.js'

/** A site in a list: its newest run, with counts instead of long values. */
export interface SiteRow
  extends Pick<
    Run,
    | 'site'
    | 'generation'
    | 'name'
    | 'rollout'
    | 'wave'
    | 'state'
    | 'phase'
    | 'message'
    | 'retries'
    | 'worker'
    | 'isCancelRequested'
    | 'submittedAt'
    | 'startedAt'
    | 'endedAt'
    | 'changedAt'
  > {
  /** Number of completed stages, and of all stages; both 0 until the site reports stages. */
  readonly through: number
  readonly stages: number
  /** The running stage, as the site names it. */
  readonly stage?: string
  readonly warnings: number
}

/** A rollout with the number of its runs in each state. */
export interface RolloutRow extends Rollout {
  readonly counts: readonly WaveCount[]
}

/** The number of runs of a wave in one state. */
export interface WaveCount {
  readonly wave: number
  readonly state: RunState
  readonly runs: number
}

/** A snapshot of a fleet, or of the sites that changed recently. */
export interface Overview {
  /** By the clock of the database, in milliseconds since 1970. */
  readonly now: number
  readonly sites: readonly SiteRow[]
  /** The newest rollouts, and all that have not ended. */
  readonly rollouts: readonly RolloutRow[]
  readonly workers: readonly WorkerStatus[]
}

/** A run in the history of a site. */
export interface RunRow extends RunKey, Pick<Run, 'rollout' | 'state' | 'submittedAt' | 'endedAt'> {}
