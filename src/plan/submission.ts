import type { ApplyRecord } from './record.js'

/**
 * How far the one `configure` of a site came, as far as that is proven. `intent` is written before the first byte is
 * sent; only `not-sent`, `rejected` and `cleared` say that no configuration came of it.
 */
export type SubmissionState =
  /** Promised. What became of it nobody has written down, so it may have been sent. */
  | 'intent'
  /** Not a byte left. */
  | 'not-sent'
  /** A whole answer said no. */
  | 'rejected'
  /** The service took it over. */
  | 'acknowledged'
  /** It was sent, and no whole answer came. */
  | 'unknown'
  /** The site was seen configuring. */
  | 'begun'
  | 'ready'
  | 'failed'
  /** An operator made sure that it came to nothing, or that the site it was for is gone. */
  | 'cleared'

/** The process that promised, as far as another can make out whether it still runs. */
export interface Holder {
  readonly host: string
  readonly pid: number
  /** Tells two processes with one number apart. */
  readonly startedAt?: string
  /** Tells two runs of one machine apart. */
  readonly boot?: string
  /** Tells two containers apart whose processes do not see each other. */
  readonly namespace?: string
  /** Digest of the number of its machine; absent in what older versions wrote, and where a machine has none. */
  readonly machine?: string
}

/** Whether the process of a holder still runs; `elsewhere` where that cannot be told from here. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

/**
 * When a stage began and ended in a configuration, in milliseconds after that was first looked at. Service §2.3 names
 * the stages.
 */
export interface StageTiming {
  readonly stage: string
  readonly beganMs: number
  readonly endedMs: number
}

/** A reading of a clock that only grows. Two readings can be compared only where they are of the same. */
export interface MachineTime {
  /** Names the run of the machine that the clock belongs to. */
  readonly of: string
  /** Milliseconds since some moment of that run. */
  readonly ms: number
}

/** When the time began to count in which a request may still arrive. */
export interface Drain {
  /** By the clock of the machine that counts. */
  readonly since: MachineTime
  /** By the clock of the site, where it told; it can object to the first, and shortens nothing. */
  readonly siteDate?: string
  /** For people alone. */
  readonly notedAt: string
}

/** The durable promise that is made before `configure` is sent, and what became of it. Holds no secret. */
export interface Submission {
  /** Grows only after a proof that nothing came of the one before. */
  readonly generation: number
  /** Names this very request to who says what became of it. */
  readonly nonce: string
  readonly state: SubmissionState
  readonly intendedAt: string
  readonly changedAt: string
  readonly by: Holder
  /** How long the request may be under way, in milliseconds, by the client that sent it. */
  readonly deadlineMs: number
  /** What the site was to be created with: the record of it, once the service has taken it. */
  readonly organization: NonNullable<ApplyRecord['organization']>
  /** Since when an operator has waited for it to arrive, once one wants to take it back. */
  readonly drain?: Drain
  /** What the service said, where it said no. Untrusted. */
  readonly reason?: string
  /** When the stages ran; known once the site was ready. */
  readonly timings?: readonly StageTiming[]
}

/** True where a request may be under way, or its configuration: then the site is only looked at. */
export function isPending({ state }: Submission): boolean {
  return state === 'intent' || state === 'acknowledged' || state === 'unknown'
}

/** True where a configuration of ours is known to have begun. */
export function hasBegun({ state }: Submission): boolean {
  return state === 'begun' || state === 'ready' || state === 'failed'
}

/** True where a configuration that the site shows is, or may be, the one that was promised; else it is somebody else's. */
export function mayBeOurs(submission: Submission): boolean {
  return isPending(submission) || hasBegun(submission)
}
