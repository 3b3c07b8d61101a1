import type { ApplyRecord } from './record.js'

/**
 * The proven progress of the one `configure` of a site. `intent` is written before the first byte is sent; only
 * `not-sent`, `rejected` and `cleared` mean that it started no configuration.
 */
export type SubmissionState =
  /** Recorded before sending. No result is recorded yet, so the request may have been sent. */
  | 'intent'
  /** No byte was sent. */
  | 'not-sent'
  /** A complete answer rejected the request. */
  | 'rejected'
  /** The service accepted it. */
  | 'acknowledged'
  /** It was sent, and no complete answer came. */
  | 'unknown'
  /** The site reported the configuration in progress. */
  | 'begun'
  | 'ready'
  | 'failed'
  /** An operator confirmed that it started no configuration, or that its site is gone. */
  | 'cleared'

/** The process that wrote the submission, described so that another process can check whether it still runs. */
export interface Holder {
  readonly host: string
  readonly pid: number
  /** Distinguishes two processes with the same id. */
  readonly startedAt?: string
  /** Distinguishes two boots of one machine. */
  readonly boot?: string
  /** Distinguishes two containers whose processes do not see each other. */
  readonly namespace?: string
  /** Digest of the machine id; absent where a machine has none. */
  readonly machine?: string
}

/** The liveness of the process of a holder; `elsewhere` where it cannot be checked from this machine. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

/**
 * The start and end of a stage of a configuration, in milliseconds after the first poll of the configuration.
 * Service §2.3 names the stages.
 */
export interface StageTiming {
  readonly stage: string
  readonly beganMs: number
  readonly endedMs: number
}

/** A reading of a monotonic clock. Two readings can be compared only if they come from the same clock. */
export interface MachineTime {
  /** The boot of the machine that the clock belongs to. */
  readonly of: string
  /** Milliseconds since some moment of that boot. */
  readonly ms: number
}

/** The start of the time in which a request may still arrive. */
export interface Drain {
  /** By the clock of the machine that measures the time. */
  readonly since: MachineTime
  /** By the clock of the site, where it reports one; it can lengthen the wait, and never shortens it. */
  readonly siteDate?: string
  /** For display only. */
  readonly notedAt: string
}

/**
 * The durable intent that is written before `configure` is sent, and its result. Holds no secret. Of an adopted site
 * (`organization.asserted`) nothing was sent, and nothing ever is: it is `ready` from the first.
 */
export interface Submission {
  /** Grows only after a proof that the previous submission started no configuration. */
  readonly generation: number
  /** Identifies this request when its result is recorded. */
  readonly nonce: string
  readonly state: SubmissionState
  readonly intendedAt: string
  readonly changedAt: string
  readonly by: Holder
  /** The longest time that the request may be under way, in milliseconds, by the client that sent it. */
  readonly deadlineMs: number
  /** The requested organization: it becomes the record once the service accepts the request. */
  readonly organization: NonNullable<ApplyRecord['organization']>
  /** The start of an operator's wait for the request to arrive, before it can be cleared; absent without one. */
  readonly drain?: Drain
  /** The message of the service, where it rejected the request. Untrusted. */
  readonly reason?: string
  /** The timings of the stages; known once the site was ready. */
  readonly timings?: readonly StageTiming[]
}

/** True where a request, or its configuration, may be under way: the site is then only polled. */
export function isPending({ state }: Submission): boolean {
  return state === 'intent' || state === 'acknowledged' || state === 'unknown'
}

/** True where our configuration is known to have begun. */
export function hasBegun({ state }: Submission): boolean {
  return state === 'begun' || state === 'ready' || state === 'failed'
}

/** True where the submission may have started the configuration that the site shows; otherwise it is foreign. */
export function mayBeOurs(submission: Submission): boolean {
  return isPending(submission) || hasBegun(submission)
}
