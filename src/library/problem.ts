import type { ServiceFailure } from '../client/failure.js'
import type { ProxyDefect } from '../client/proxy.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Source } from '../manifest/source.js'
import type { Blocker, ImmutableEdit, Plan } from '../plan/plan.js'
import type { StaleFact } from '../plan/saved/bindings.js'
import type { PlanViolation } from '../policy/policy.js'
import type { StateFailure, StateReason } from '../state/state-failure.js'
import type { FileProblem } from './read-files.js'

/** The reason why there is no manifest, or none that its policies allow. */
export type LoadProblem =
  | FileProblem
  /** A manifest, or a policy that applies to it, is not valid. */
  | {
      readonly kind: 'manifest' | 'policy'
      readonly file: string
      readonly diagnostics: readonly Diagnostic[]
      /** The files that the diagnostics point into. */
      readonly sources: readonly Source[]
    }

/** The reason why requests cannot reach a site. */
export type RouteProblem =
  /** The proxy that the environment names cannot be used. */
  | { readonly kind: 'proxy'; readonly variable: string; readonly defect: ProxyDefect }
  /** TLS material that the manifest names is missing or invalid. */
  | { readonly kind: 'tls'; readonly diagnostics: readonly Diagnostic[] }

/** The reason why the facts for a plan cannot be read. */
export type GatherProblem =
  /** License files are missing or invalid. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The site cannot be observed. */
  | {
      readonly kind: 'look'
      readonly url: string
      readonly failure: ServiceFailure
      /** The file of authorities that the manifest names. */
      readonly caFile?: string | undefined
    }
  | { readonly kind: 'state'; readonly failure: StateFailure }

/** An observation that rules out a plan. */
export interface BlockerProblem {
  readonly kind: 'obstacle'
  readonly blocker: Blocker
  /** Warnings about the manifest, and about the site as it is. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A saved plan that was used before, or to which the manifest and the site no longer lead. */
export interface StalePlan {
  readonly kind: 'stale'
  /** The facts that changed since the plan was made. */
  readonly moved: readonly StaleFact[]
}

/** A requirement of a policy that a plan does not meet, with the policy file. */
export interface MissingPermission {
  readonly file: string
  readonly violation: PlanViolation
}

/** The reason why no plan may be performed. Only GET and sign-in requests were sent. */
export type SiteProblem =
  | LoadProblem
  | RouteProblem
  | GatherProblem
  /** The caller does not allow the address. */
  | { readonly kind: 'address'; readonly url: string; readonly because: 'not-allowed' }
  /** The address is not valid; `problem` ends a sentence that begins with the address. */
  | {
      readonly kind: 'address'
      readonly url: string
      readonly because: 'invalid'
      readonly problem: string
    }
  | BlockerProblem
  | StalePlan
  /** The plan leaves out edits that no operation can apply, and the caller did not allow that. */
  | { readonly kind: 'immutable'; readonly edits: readonly ImmutableEdit[]; readonly plan: Plan }
  /** The plan creates a site, but would keep the submission intent on a disk that the CI system discards. */
  | { readonly kind: 'local-state'; readonly where: string; readonly plan: Plan }
  /** A policy does not permit the plan. */
  | ({ readonly kind: 'not-permitted'; readonly plan: Plan } & MissingPermission)
  | ({ readonly kind: 'state-location' } & StateLocationProblem)

/**
 * No location is declared for the state of a site that is not on this machine, or the location cannot be opened here.
 */
export type StateLocationProblem =
  | { readonly because: 'undeclared'; readonly url: string }
  /** The location may not be opened. No credentials were read. */
  | { readonly because: 'not-allowed'; readonly location: string; readonly reason: StateReason }
  | { readonly because: 'needs-package'; readonly location: string }
  /** `other` is the location that the program passed. */
  | { readonly because: 'contradiction'; readonly location: string; readonly other: string }
