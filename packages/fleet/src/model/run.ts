import { type EndState, hasEnded, type RunState, runStates, type StageRecord } from 'landform/sites'

/** The current phase of a running site. */
export type Phase = 'observe' | 'configure' | 'wait' | 'update'

/** Identifies a run: the base URL of a site, and the number of its submission. */
export interface RunKey {
  readonly site: string
  readonly generation: number
}

/** A queued run. It has a phase if a worker has begun it. */
export interface QueuedRun extends RunKey {
  /** Smaller numbers start first. */
  readonly priority: number
  readonly phase?: Phase
}

/** The work order for a site. Contains no secret and no text of the manifest. */
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
  /** The reason why the run waits, unless the phase implies it; empty once the run continues. */
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
  /** A message of Landform, with the next step if there is one. */
  readonly message: string
  readonly exitCode: number
}

/** An event of a run. Contains no secret. */
export interface RunEvent extends RunKey {
  /** Increases across all sites, in the order of writing. */
  readonly number: number
  readonly at: number
  /** A type of `ApplyEvent`, or `retry`, `cancelled`, `left`. */
  readonly type: string
  /** One sentence, written by Landform. */
  readonly message: string
}

/** A submission: its sites start wave by wave. */
export interface Rollout {
  readonly id: string
  /** The user and host, such as `ada@ci-17`. */
  readonly submittedBy: string
  readonly submittedAt: number
  /** The current wave, from 1. */
  readonly wave: number
  readonly waves: number
  /** True if the next wave starts even if a site of the current one did not succeed. */
  readonly keepsGoing: boolean
  /** `stopped`: a site of a wave did not succeed, so later waves do not start. */
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

/** The facts that metrics show, and that the queue is derived from, besides the queued runs. */
export interface Load {
  /** The clock of the database. */
  readonly now: number
  /** The processes that have a session. */
  readonly executors: readonly string[]
  /** The number of sites that are queued or running. */
  readonly active: number
  readonly running: number
  /** Longest time that a queued run has waited. */
  readonly oldestQueuedSeconds: number
  readonly stoppedRollouts: number
  /** The workers with a valid lease, and the limits of the one that started last. */
  readonly workers: number
  readonly limit: number
  readonly fleetLimit?: number
  /** Sum of the limits of the workers with a valid lease. */
  readonly workerLimit: number
}

/** A snapshot of a fleet for people. */
export interface FleetSnapshot {
  readonly now: number
  /** The newest run of each site; those that need attention first. */
  readonly runs: readonly Run[]
  readonly rollouts: readonly Rollout[]
  readonly workers: readonly WorkerStatus[]
}

/** Returns the id of the workflow of a run. The engine starts only one workflow per id. */
export function formatWorkflowId({ site, generation }: RunKey): string {
  return `apply:${site}:${generation}`
}

/** Orders runs: those that need attention first, then by name. */
export function compareByUrgency(a: Run, b: Run): number {
  const rank = runStates.indexOf(a.state) - runStates.indexOf(b.state)
  return rank !== 0 ? rank : a.name < b.name ? -1 : a.name > b.name ? 1 : b.generation - a.generation
}

/** Tests whether a run makes progress without a person. The later waves of a stopped rollout need one. */
export function canContinue(
  { state, rollout }: Pick<Run, 'state' | 'rollout'>,
  rollouts: readonly Rollout[],
): boolean {
  if (hasEnded(state)) return false
  return state !== 'waiting' || rollouts.find(({ id }) => id === rollout)?.state === 'running'
}
