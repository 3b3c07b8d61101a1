import { type EndState, hasEnded, type RunState, runStates, type StageRecord } from 'landform/sites'

/** The current phase of a running site. */
export type Phase = 'observe' | 'configure' | 'wait' | 'update'

/** Identifies a run: the base URL of a site, and the number of its submission. */
export interface RunKey {
  readonly site: string
  readonly generation: number
}

/** A queued run. One that a worker has begun has a phase. */
export interface QueuedRun extends RunKey {
  /** Smaller numbers start first. */
  readonly priority: number
  readonly phase?: Phase
}

/** The work order for a site. It holds no secret, and no text of a manifest. */
export interface Order extends RunKey {
  readonly rollout: string
  /** `metadata.name`. */
  readonly name: string
  /** Path of the manifest: relative to the folder of the worker or, with a commit, to the top of that commit. */
  readonly manifest: string
  /** `sha256:…` of the manifest with its bases and policies: a worker rejects any other content. */
  readonly digest: string
  /** The commit that holds the manifest; absent if it is read from a folder. */
  readonly commit?: string
  readonly wave: number
  /** Smaller numbers start first. */
  readonly priority: number
  readonly timeoutMs: number
}

/** Changes to a run in progress; absent fields stay as they are. */
export interface RunProgress {
  readonly phase?: Phase
  /** The reason for waiting, if it is not the phase; empty once it continues. */
  readonly message?: string
  readonly stages?: readonly StageRecord[]
  readonly warnings?: readonly string[]
  readonly retries?: number
}

/** A run with its progress; times in milliseconds since 1970, by the clock of the database. */
export interface Run extends Order, RunProgress {
  readonly stages: readonly StageRecord[]
  readonly warnings: readonly string[]
  readonly retries: number
  readonly state: RunState
  readonly exitCode?: number
  readonly worker?: string
  readonly isCancelRequested: boolean
  readonly submittedAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly changedAt: number
}

/** The result of a run. */
export interface RunEnd {
  readonly state: EndState
  /** Written by Landform; names the next step if there is one. */
  readonly message: string
  readonly exitCode: number
}

/** An event of a run. Holds no secret. */
export interface RunEvent extends RunKey {
  /** Increases over all sites, in the order of writing. */
  readonly number: number
  readonly at: number
  /** A type of `ApplyEvent`, or `retry`, `cancelled`, `left`. */
  readonly type: string
  /** One sentence, written by Landform. */
  readonly message: string
}

/** One submission: its sites start wave by wave. */
export interface Rollout {
  readonly id: string
  /** The user and host, such as `ada@ci-17`. */
  readonly submittedBy: string
  readonly submittedAt: number
  /** The current wave, from 1. */
  readonly wave: number
  readonly waves: number
  /** Start the next wave regardless of the results of one. */
  readonly keepsGoing: boolean
  /** `stopped`: a wave did not succeed, so the later ones are not started. */
  readonly state: 'running' | 'stopped' | 'done' | 'cancelled'
}

/** A worker and its lease. */
export interface WorkerStatus {
  readonly worker: string
  readonly startedAt: number
  readonly beatAt: number
  readonly leaseMs: number
  readonly limit: number
  readonly version: string
  /** True if its lease has expired; other workers take over its sites. */
  readonly isSilent: boolean
}

/** The facts that the queue is derived from, besides the queued runs. */
export interface Load {
  /** The clock of the database. */
  readonly now: number
  /** The processes that have a session. */
  readonly executors: readonly string[]
  /** How many sites workers have or could take. */
  readonly active: number
  readonly running: number
  /** The workers with a valid lease, and the limits of the one that started last. */
  readonly workers: number
  readonly limit: number
  readonly fleetLimit?: number
}

/** A snapshot of a fleet for people. */
export interface FleetSnapshot {
  readonly now: number
  /** The newest run of each site; those that need attention first. */
  readonly runs: readonly Run[]
  readonly rollouts: readonly Rollout[]
  readonly workers: readonly WorkerStatus[]
}

/** Returns the name of the workflow of a run: the engine starts a workflow of one name only once. */
export function formatWorkflowId({ site, generation }: RunKey): string {
  return `apply:${site}:${generation}`
}

/** Orders runs: those that need attention first, then by name. */
export function compareByUrgency(a: Run, b: Run): number {
  const rank = runStates.indexOf(a.state) - runStates.indexOf(b.state)
  return rank !== 0 ? rank : a.name < b.name ? -1 : a.name > b.name ? 1 : b.generation - a.generation
}

/** True if a run makes progress without a person. After a wave that stopped its rollout, the later waves wait for one. */
export function canContinue(
  { state, rollout }: Pick<Run, 'state' | 'rollout'>,
  rollouts: readonly Rollout[],
): boolean {
  if (hasEnded(state)) return false
  return state !== 'waiting' || rollouts.find(({ id }) => id === rollout)?.state === 'running'
}
