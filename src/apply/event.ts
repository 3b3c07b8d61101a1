import type { ServiceFailure } from '../client/failure.js'
import type { StageRecord } from '../plan/observation.js'
import type { Action } from '../plan/plan.js'
import type { Holder, StageTiming } from '../plan/submission.js'
import type { Outcome } from './outcome.js'
import type { Anomaly, StallChange } from './wait/reported.js'

interface StreamStarted {
  readonly type: 'stream-started'
  readonly formatVersion: 1
  readonly name: string
  readonly url: string
  readonly tool: string
}

/** This run has the site now, and no other begins anything there. */
interface SiteLocked {
  readonly type: 'site-locked'
  readonly fence: number
  /** The run that had it before and did not let it go. */
  readonly former?: Holder
  /** Its process is proven to be gone; otherwise only its hold on the site had ended. */
  readonly isGone?: true
}

interface ActionStarted {
  readonly type: 'action-started'
  readonly operation: Action['operation']
  readonly change: Action['change']
  readonly reason: Action['reason']
}

/** The license that the service was asked about has not the user type of the administrator. The configuration is sent. */
interface UserTypeUnlisted {
  readonly type: 'user-type-unlisted'
  readonly userType: string
  /** Those that the service lists. Untrusted. */
  readonly listed: readonly string[]
}

/** The submission intent is recorded durably: from here on, the request is not sent again without a proof. */
interface IntentWritten {
  readonly type: 'intent-written'
  readonly generation: number
}

/** The service has taken the configuration over; from here on it goes on without Landform. */
interface ConfigureAccepted {
  readonly type: 'configure-accepted'
}

/** A poll shows for the first time that the configuration has begun. */
interface ConfigureBegun {
  readonly type: 'configure-begun'
}

/** The site shows an earlier request that had no answer; or somebody has configured the site by hand. */
interface SubmissionAdopted {
  readonly type: 'submission-adopted'
}

/** A request was sent and its outcome is unknown: from here on Landform only polls. */
interface OutcomeUnknown {
  readonly type: 'outcome-unknown'
  readonly operation: Action['operation']
  readonly failure: ServiceFailure
}

/** All stages as they are now, with those that changed since the last poll. */
interface StagesChanged {
  readonly type: 'stages-changed'
  readonly changed: readonly (StageRecord & {
    readonly from: string | null
    /** The duration of a completed stage; absent unless its start was seen. */
    readonly durationMs?: number
  })[]
  readonly stages: readonly StageRecord[]
  readonly elapsedMs: number
  /** The time that is left, by an earlier configuration; absent without one. */
  readonly leftMs?: number
}

/** A new message of the site, and its new warnings. */
interface SiteReported {
  readonly type: 'site-said'
  readonly message?: string
  readonly warnings: readonly string[]
  readonly elapsedMs: number
}

/** An anomaly; the wait continues, and nothing is sent. Reported once for each. */
interface AnomalyEvent {
  readonly type: 'anomaly'
  readonly anomaly: Anomaly
  readonly elapsedMs: number
}

/** A stage in progress has stalled, or moves again. Reported once for each stall. */
interface StageMotion extends StallChange {
  readonly elapsedMs: number
}

/** A poll of the site failed; the wait continues. Reported once for each new reason. */
interface ObservationFailed {
  readonly type: 'observation-failed'
  readonly failure: ServiceFailure
  readonly elapsedMs: number
}

/** Polling works again after polls that failed. */
interface ObservationRestored {
  readonly type: 'observation-restored'
  /** The time in which polls failed. */
  readonly failedMs: number
  readonly elapsedMs: number
}

/** Nothing new for a while: a sign of life. */
interface Heartbeat {
  readonly type: 'heartbeat'
  /** As they were when they were last seen. */
  readonly stages: readonly StageRecord[]
  readonly elapsedMs: number
  /** The failure of the last poll; absent where it succeeded. */
  readonly failure?: ServiceFailure
  /** The time that is left, by an earlier configuration; absent without one. */
  readonly leftMs?: number
}

interface SiteReady {
  readonly type: 'site-ready'
  readonly elapsedMs: number
  readonly warnings: readonly string[]
  /** The stages that were seen from their begin to their end. */
  readonly timings: readonly StageTiming[]
}

interface ActionFinished {
  readonly type: 'action-finished'
  readonly operation: Action['operation']
}

interface RecordWritten {
  readonly type: 'record-written'
  readonly serial: number
}

interface StreamFinished {
  readonly type: 'stream-finished'
  readonly outcome: Outcome
}

/** Something that happened while a plan was applied. Holds no secret. */
export type ApplyEvent =
  | StreamStarted
  | SiteLocked
  | ActionStarted
  | UserTypeUnlisted
  | IntentWritten
  | ConfigureAccepted
  | ConfigureBegun
  | SubmissionAdopted
  | OutcomeUnknown
  | StagesChanged
  | SiteReported
  | AnomalyEvent
  | StageMotion
  | ObservationFailed
  | ObservationRestored
  | Heartbeat
  | SiteReady
  | ActionFinished
  | RecordWritten
  | StreamFinished
