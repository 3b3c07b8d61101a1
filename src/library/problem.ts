import type { ServiceFailure } from '../client/failure.js'
import type { ProxyDefect } from '../client/proxy.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Source } from '../manifest/source.js'
import type { Blocker } from '../plan/blocker.js'
import type { ImmutableEdit, Plan } from '../plan/plan.js'
import type { StaleFact } from '../plan/saved/stale-fact.js'
import type { StateFailure } from '../state/state-failure.js'
import type { FileProblem } from './read-named.js'

/** Why there is no manifest, or none that its policies allow. */
export type LoadProblem =
  | FileProblem
  /** A manifest, or a policy that it keeps to, is not valid. */
  | {
      readonly kind: 'manifest' | 'policy'
      readonly file: string
      readonly diagnostics: readonly Diagnostic[]
      /** The files that the diagnostics point into. */
      readonly sources: readonly Source[]
    }

/** Why requests cannot be brought to a site. */
export type RouteProblem =
  /** The proxy that the environment names cannot be used. */
  | { readonly kind: 'proxy'; readonly variable: string; readonly defect: ProxyDefect }
  /** What the manifest names for TLS is missing or unfit. */
  | { readonly kind: 'tls'; readonly diagnostics: readonly Diagnostic[] }

/** Why nothing can be planned with. */
export type GatherProblem =
  /** License files are missing or unfit. */
  | { readonly kind: 'references'; readonly diagnostics: readonly Diagnostic[] }
  /** The site cannot be looked at. */
  | { readonly kind: 'look'; readonly url: string; readonly failure: ServiceFailure }
  | { readonly kind: 'state'; readonly failure: StateFailure }

/** What is observed leaves nothing to plan. */
export interface BlockerProblem {
  readonly kind: 'obstacle'
  readonly blocker: Blocker
  /** Warnings about the manifest, and about the site as it is. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A saved plan that its manifest and its site no longer lead to, or that was used. */
export interface StalePlan {
  readonly kind: 'stale'
  /** The facts that changed since it was made. */
  readonly moved: readonly StaleFact[]
  /** The configuration that it started has not ended: there is no other plan to review. */
  readonly isUnderWay: boolean
}

/** Why there is no plan that may be performed. Nothing was sent but looks at the site. */
export type SiteProblem =
  | LoadProblem
  | RouteProblem
  | GatherProblem
  /** The caller does not allow the address, or a site cannot have it. */
  | { readonly kind: 'address'; readonly url: string; readonly because: 'not-allowed' }
  /** `problem` ends a sentence that begins with the address. */
  | {
      readonly kind: 'address'
      readonly url: string
      readonly because: 'invalid'
      readonly problem: string
    }
  | BlockerProblem
  | StalePlan
  /** The plan leaves out edits that nothing can carry out, and nobody said that it may. */
  | { readonly kind: 'immutable'; readonly edits: readonly ImmutableEdit[]; readonly plan: Plan }
  /** The plan creates a site, and the promise of that would be kept on a disk that a CI system throws away. */
  | { readonly kind: 'local-state'; readonly where: string; readonly plan: Plan }
  | ({ readonly kind: 'state-location'; readonly url: string } & StateLocationProblem)

/** Nobody says where the state of a site that is not on this machine is kept, or its place cannot be opened here. */
export type StateLocationProblem =
  | { readonly because: 'undeclared' }
  | { readonly because: 'needs-package'; readonly location: string }
  /** `other` is where the program keeps it. */
  | { readonly because: 'contradiction'; readonly location: string; readonly other: string }
