import type { SeenWorker } from './fleet-look.js'
import type { Rollout, Run, RunKey, RunState } from './run.js'

/** One site among many: its newest run, with numbers in place of what is long. */
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
  /** How many stages are through, and how many there are; both 0 before the site shows any. */
  readonly through: number
  readonly stages: number
  /** The stage that runs: a word of the site. */
  readonly stage?: string
  readonly warnings: number
}

/** A submission with what became of its sites. */
export interface RolloutRow extends Rollout {
  readonly counts: readonly WaveCount[]
}

/** How many runs of a wave are in one state. */
export interface WaveCount {
  readonly wave: number
  readonly state: RunState
  readonly runs: number
}

/** A whole fleet at one moment, or what of its sites was written lately. */
export interface Overview {
  /** By the clock of the database, in milliseconds since 1970. */
  readonly now: number
  readonly sites: readonly SiteRow[]
  /** The newest ones, and all that have not ended. */
  readonly rollouts: readonly RolloutRow[]
  readonly workers: readonly SeenWorker[]
}

/** An earlier run of a site, or the newest one. */
export interface RunRow extends RunKey, Pick<Run, 'rollout' | 'state' | 'submittedAt' | 'endedAt'> {}

/** True where nothing more happens before a person does something. */
export function needsPerson(state: RunState): boolean {
  return state === 'ambiguous' || state === 'failed' || state === 'refused' || state === 'unfinished'
}
