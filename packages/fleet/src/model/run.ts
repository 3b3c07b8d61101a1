import type { StageRecord } from '../../../../src/plan/observation.js'

/**
 * Where a run of a site stands. `waiting` for its wave, `queued` for a worker; the others but `running` are ends:
 * `ambiguous` needs an operator, `refused` another manifest, secret or policy, and `unfinished` more time.
 */
export type RunState = (typeof runStates)[number]

/** Every state, those that need a person first. */
export const runStates = [
  'ambiguous',
  'failed',
  'refused',
  'unfinished',
  'running',
  'queued',
  'waiting',
  'cancelled',
  'done',
] as const

/** What a running site is at. */
export type Phase = 'observe' | 'configure' | 'wait' | 'update'

/** Names one run: a site by its base URL, and how many submissions of it there were. */
export interface RunKey {
  readonly site: string
  readonly generation: number
}

/** What a worker needs to know of a site. It holds no secret, and no text of a manifest. */
export interface Order extends RunKey {
  readonly rollout: string
  /** `metadata.name`. */
  readonly name: string
  /** Path of the manifest: below the folder of the worker or, with a commit, in that. */
  readonly manifest: string
  /** `sha256:…` of the manifest with all that it builds on and its policies: a worker that has others refuses. */
  readonly digest: string
  /** The commit that the manifest is taken from; absent where it is taken from a folder. */
  readonly commit?: string
  readonly wave: number
  /** Smaller numbers are begun first. */
  readonly priority: number
  /** How long the site may take, in milliseconds. */
  readonly timeoutMs: number
}

/** What is known of one run; times in milliseconds since 1970, by the clock of the database. */
export interface Run extends Order {
  readonly state: RunState
  readonly phase?: Phase
  /** How it ended, or what is to be done, in words of Landform. */
  readonly message?: string
  /** The exit code that `landform apply` would have ended with. */
  readonly exitCode?: number
  readonly stages: readonly StageRecord[]
  readonly warnings: readonly string[]
  /** How many times something was tried again. */
  readonly retries: number
  /** The worker that has it, or had it last. */
  readonly worker?: string
  readonly isCancelRequested: boolean
  readonly submittedAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  /** When anything of this was last written. */
  readonly changedAt: number
}

/** True where nothing more happens by itself. */
export function hasEnded(state: RunState): boolean {
  return state !== 'waiting' && state !== 'queued' && state !== 'running'
}

/** Those that need a person first, then by name; for sorting. */
export function byNeed(a: Run, b: Run): number {
  const rank = runStates.indexOf(a.state) - runStates.indexOf(b.state)
  return rank !== 0 ? rank : a.name < b.name ? -1 : a.name > b.name ? 1 : b.generation - a.generation
}

/** One submission: its sites begin wave after wave. */
export interface Rollout {
  readonly id: string
  /** Who and where, such as `ada@ci-17`. */
  readonly submittedBy: string
  readonly submittedAt: number
  /** The wave that is under way, from 1. */
  readonly wave: number
  readonly waves: number
  /** Begin the next wave whatever became of one. */
  readonly keepsGoing: boolean
  /** `stopped`: a wave did not end well, so the ones after it are not begun. */
  readonly state: 'running' | 'stopped' | 'done' | 'cancelled'
}

/** Something that happened to a run. Holds no secret. */
export interface RunEvent extends RunKey {
  /** Grows over all sites, in the order of writing. */
  readonly number: number
  readonly at: number
  /** A type of `ApplyEvent`, or `submitted`, `started`, `retry`, `adopted`, `cancelled`, `left`, `ended`. */
  readonly type: string
  /** One sentence in words of Landform. */
  readonly message: string
}

/** A worker, as the others see it. */
export interface WorkerLease {
  readonly worker: string
  readonly startedAt: number
  readonly beatAt: number
  readonly leaseMs: number
  /** How many sites it has at once at most. */
  readonly limit: number
  readonly version: string
}

/** The name of the workflow of a run: the engine starts one of a name only once. */
export function workflowId({ site, generation }: RunKey): string {
  return `apply:${site}:${generation}`
}
