import type { ServiceFailure } from '../client/failure.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { joinMessages, type Observation, type StageRecord } from '../plan/observation.js'
import type { Action } from '../plan/plan.js'
import type { StaleFact } from '../plan/saved/bindings.js'
import type { Liveness, StageTiming, Submission } from '../plan/submission.js'
import type { Result } from '../result.js'
import type { Lock } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import type { Replaced } from './wait/observed.js'

type OperationName = Action['operation']

/** The end of an apply. Each kind requires a different reaction of the user. */
export type Outcome =
  /** Everything in the plan is done, and the site confirms it. */
  | { readonly kind: 'done' }
  /** The wait ended before the configuration did; a later run resumes it. */
  | {
      readonly kind: 'in-progress'
      readonly because: 'timeout' | 'interrupted' | 'detached' | 'not-allowed'
      /** The failure of the last poll of the site, if it failed. */
      readonly failure?: ServiceFailure
    }
  /** It is unknown whether a request was carried out. */
  | {
      readonly kind: 'unknown'
      readonly operation: OperationName
      readonly reason: UnknownReason
      /** The state that is not documented, with `unknown-state` and `contradictory-state`. Untrusted. */
      readonly state?: string
      /** The response to the request, which leaves its outcome open. Untrusted. */
      readonly said?: string
      /** The response is a rejection by the service itself, which the site has not confirmed so far. */
      readonly isRejection?: true
      /** Identifies the request, if the state has it. */
      readonly nonce?: string
    }
  /** Another run holds the lock. */
  | {
      readonly kind: 'locked'
      readonly lock: Lock
      /** The liveness of that run, as far as this machine can verify it. */
      readonly liveness: Liveness
    }
  /** The service rejected an earlier `configure`; sending another requires consent. */
  | { readonly kind: 'rejected-before'; readonly submission: Submission }
  /** The service reports that the configuration failed. */
  | { readonly kind: 'site-failed'; readonly message: string; readonly stages: readonly StageRecord[] }
  /** During the wait, another site responded at the address, or the site lost the configuration that had begun. */
  | { readonly kind: 'replaced'; readonly because: Replaced }
  /** A request was rejected or not sent, and has no effect. */
  | {
      readonly kind: 'not-taken'
      readonly operation: OperationName
      readonly failure: ServiceFailure
      /** The operation that this run had completed before. */
      readonly after?: OperationName
      /** The license check was rejected, or blocked in front of the service: `configure` was not sent. */
      readonly because?: 'license' | 'blocked'
      /** The rejection is recorded: sending another `configure` requires consent. */
      readonly isRejected?: true
    }
  /** A policy requires a license that lists the user type of the administrator, and the service lists others. */
  | { readonly kind: 'not-permitted'; readonly userType: string; readonly listed: readonly string[] }
  /** The plan is stale: some of its inputs have changed. */
  | { readonly kind: 'stale'; readonly moved: readonly StaleFact[] }
  /** Secrets or files are missing or invalid. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The run was interrupted before anything (more) was sent. */
  | { readonly kind: 'interrupted' }
  /** The state could not be written; `after` is the last operation that was carried out. */
  | {
      readonly kind: 'not-recorded'
      readonly after: OperationName | 'nothing'
      readonly failure: StateFailure
    }

/** An outcome that ends an apply before its last action. */
export type BlockingOutcome = Exclude<Outcome, { readonly kind: 'done' }>

/** The result of one step of an apply. */
export type StepResult<T = undefined> = Result<T, BlockingOutcome>

/** A step after which the apply goes on. */
export const stepDone = { ok: true, value: undefined } as const

/** A step that ends the apply. */
export function endApply(error: BlockingOutcome): StepResult<never> {
  return { ok: false, error }
}

/** The reason, as a code, why the outcome of a request is unknown. */
export type UnknownReason =
  | 'no-complete-response'
  | 'not-confirmed'
  | 'no-sign-of-configuration'
  | 'no-valid-token'
  | 'interrupted'
  | 'run-cancelled'
  | 'no-response-while-waiting'
  | 'shows-no-configuration'
  | 'unknown-state'
  | 'contradictory-state'
  | 'site-failed'

/** The result of an apply. */
export interface Receipt {
  readonly outcome: Outcome
  readonly startedAt: string
  readonly finishedAt: string
}

/** The end of a wait. `begun` is true if the configuration is known to have begun. */
export type WaitEnd =
  | { readonly kind: 'ready'; readonly timings: readonly StageTiming[] }
  | { readonly kind: 'failed'; readonly observed: Observation }
  /** Nothing has begun. `isShown` is true if the site kept reporting that, and false if it only showed no state. */
  | { readonly kind: 'not-begun'; readonly isShown: boolean }
  /** Another site responds at the address, or the site lost the configuration that had begun. */
  | { readonly kind: 'replaced'; readonly because: Replaced }
  /** The site rejects every poll for lack of a valid token. */
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure; readonly begun: boolean }
  /** The time is up. `last` is the last observation, if there is one. */
  | ({ readonly kind: 'timeout'; readonly last: Observation | undefined } & Unfinished)
  | ({ readonly kind: 'interrupted' } & Unfinished)

/** The facts of a wait that ended before the configuration did. */
export interface Unfinished {
  readonly begun: boolean
  /** The failure of the last poll, if it failed. */
  readonly failure?: ServiceFailure
  /** Some responses showed no state. */
  readonly wasSilent?: true
}

/** Characters of a text; no report shows more. */
const maxQuoted = 500

/** Quotes a complete response: status, server and text; only the text for a 2xx without a server. Empty if none came. */
export function quoteAnswer(failure: ServiceFailure): string {
  const words = joinMessages(failure).slice(0, maxQuoted)
  if (!('status' in failure)) return words
  const { status } = failure
  const from = 'server' in failure && failure.server ? ` from ${failure.server.slice(0, 60)}` : ''
  if (words === '') return `HTTP ${status}${from}`
  return status < 300 && from === '' ? words : `HTTP ${status}${from}: ${words}`
}
