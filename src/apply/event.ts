import type { ServiceFailure } from '../client/failure.js'
import type { StageRecord } from '../plan/observation.js'
import type { Action } from '../plan/plan.js'
import type { Holder, StageTiming } from '../plan/submission.js'
import type { Outcome } from './outcome.js'
import type { Oddity } from './wait/oddities.js'
import type { StallChange } from './wait/stalls.js'

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

/** The promise to send `configure` is kept durably: whatever happens from here on, it is not sent again unproven. */
interface IntentWritten {
  readonly type: 'intent-written'
  readonly generation: number
}

/** The service has taken the configuration over; from here on it goes on without Landform. */
interface ConfigureAccepted {
  readonly type: 'configure-accepted'
}

/** A look shows for the first time that the configuration has begun, whoever began it. */
interface ConfigureBegun {
  readonly type: 'configure-begun'
}

/** A request of an earlier run that had no answer shows on the site, unless somebody configured it by hand meanwhile. */
interface SubmissionAdopted {
  readonly type: 'submission-adopted'
}

/** A request went out and nothing tells what became of it: from here on Landform only looks. */
interface OutcomeUnknown {
  readonly type: 'outcome-unknown'
  readonly operation: Action['operation']
  readonly failure: ServiceFailure
}

/** All stages as they are now, with those that changed since the last look. */
interface StagesChanged {
  readonly type: 'stages-changed'
  readonly changed: readonly (StageRecord & {
    readonly from: string | null
    /** How long a stage that is completed took; absent where it was not seen from its begin. */
    readonly durationMs?: number
  })[]
  readonly stages: readonly StageRecord[]
  readonly elapsedMs: number
  /** The time that is left, by an earlier configuration; absent where none tells. */
  readonly leftMs?: number
}

/** What the site says in words: its message where that is another than before, and warnings that are new. */
interface SiteSaid {
  readonly type: 'site-said'
  readonly message?: string
  readonly warnings: readonly string[]
  readonly elapsedMs: number
}

/** Something does not fit; the wait goes on, and nothing is sent. Told once for each. */
interface OddityEvent {
  readonly type: 'oddity'
  readonly oddity: Oddity
  readonly elapsedMs: number
}

/** A stage in progress does not move any more, or moves again. Told once for each stall. */
interface StageMotion extends StallChange {
  readonly elapsedMs: number
}

/** A look at the site failed; the wait goes on. Told once for each new reason. */
interface ObservationFailed {
  readonly type: 'observation-failed'
  readonly failure: ServiceFailure
  readonly elapsedMs: number
}

/** The site can be looked at again after looks that failed. */
interface ObservationRestored {
  readonly type: 'observation-restored'
  /** How long it could not. */
  readonly failedMs: number
  readonly elapsedMs: number
}

/** Nothing new for a while: a sign of life. */
interface Heartbeat {
  readonly type: 'heartbeat'
  /** As they were when they were last seen. */
  readonly stages: readonly StageRecord[]
  readonly elapsedMs: number
  /** Why the last look failed; absent where it did not. */
  readonly failure?: ServiceFailure
  /** The time that is left, by an earlier configuration; absent where none tells. */
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
  | IntentWritten
  | ConfigureAccepted
  | ConfigureBegun
  | SubmissionAdopted
  | OutcomeUnknown
  | StagesChanged
  | SiteSaid
  | OddityEvent
  | StageMotion
  | ObservationFailed
  | ObservationRestored
  | Heartbeat
  | SiteReady
  | ActionFinished
  | RecordWritten
  | StreamFinished
