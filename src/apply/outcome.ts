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

/** The end of an apply. Each kind is one situation that asks its user for one reaction. */
export type Outcome =
  /** Everything in the plan is done, and the site confirms it. */
  | { readonly kind: 'done' }
  /** The wait ended before the configuration did; a later run takes it up again. */
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
      /** The answer to the request, which decides nothing. Untrusted. */
      readonly said?: string
      /** It is a rejection by the service itself, which the site has not confirmed so far. */
      readonly isRejection?: true
      /** Names the request, where the journal has it. */
      readonly nonce?: string
    }
  /** Another run has the site. */
  | {
      readonly kind: 'locked'
      readonly lock: Lock
      /** The liveness of that run, as far as this machine can verify it. */
      readonly liveness: Liveness
    }
  /** The service said no to an earlier `configure`; to send another takes a consent. */
  | { readonly kind: 'rejected-before'; readonly submission: Submission }
  /** The service reports that the configuration failed. */
  | { readonly kind: 'site-failed'; readonly message: string; readonly stages: readonly StageRecord[] }
  /** In the middle of the wait another site answers at the address, or the site lost what had begun. */
  | { readonly kind: 'replaced'; readonly because: Replaced }
  /** The service did not take a request; nothing came of it. */
  | {
      readonly kind: 'not-taken'
      readonly operation: OperationName
      readonly failure: ServiceFailure
      /** The step that this run had finished before. */
      readonly after?: OperationName
      /** The service refused the license when asked about it, or did not get the question: `configure` was not sent. */
      readonly because?: 'license' | 'blocked'
      /** The rejection is recorded, so that sending another `configure` takes a consent. */
      readonly isRejected?: true
    }
  /** A policy requires a license that lists the user type of the administrator, and the service lists others. */
  | { readonly kind: 'not-permitted'; readonly userType: string; readonly listed: readonly string[] }
  /** Something the plan was made from is no longer so. */
  | { readonly kind: 'stale'; readonly moved: readonly StaleFact[] }
  /** Secrets or files are missing or invalid. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The run was interrupted before anything (more) was sent. */
  | { readonly kind: 'interrupted' }
  /** The record could not be written; `after` says what had been carried out by then. */
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

/** The code of why the outcome of a request is unknown. */
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
  /** Nothing was begun; `isShown` where the site keeps reporting so, and not only shows no state. */
  | { readonly kind: 'not-begun'; readonly isShown: boolean }
  /** Another site answers at the address, or the site lost what had begun. */
  | { readonly kind: 'replaced'; readonly because: Replaced }
  /** The site rejects every poll for lack of a valid token. */
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure; readonly begun: boolean }
  /** The time is up. `last` is the last that was seen of the site, if anything was. */
  | ({ readonly kind: 'timeout'; readonly last: Observation | undefined } & Unfinished)
  | ({ readonly kind: 'interrupted' } & Unfinished)

/** The facts of a wait that did not come to its end. */
export interface Unfinished {
  readonly begun: boolean
  /** The failure of the last poll, if it failed. */
  readonly failure?: ServiceFailure
  /** Answers came that showed no state. */
  readonly wasSilent?: true
}

/** No report shows more. */
const maxQuoted = 500

/** Quotes a complete answer by its words, by its status where that says no or there are no words, and by its server; empty for none. */
export function quoteAnswer(failure: ServiceFailure): string {
  const words = joinMessages(failure).slice(0, maxQuoted)
  if (!('status' in failure)) return words
  const { status } = failure
  const from = 'server' in failure && failure.server ? ` from ${failure.server.slice(0, 60)}` : ''
  if (words === '') return `HTTP ${status}${from}`
  return status < 300 && from === '' ? words : `HTTP ${status}${from}: ${words}`
}
