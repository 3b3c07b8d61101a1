import type { Observation } from './observation.js'
import type { Submission } from './submission.js'

/** A reason why no plan can be made for a site: a person has to repair it, or its version is too old. */
export type Blocker =
  | { readonly kind: 'site-failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  | { readonly kind: 'site-unrecognized'; readonly observed: Observation & { readonly kind: 'unrecognized' } }
  | { readonly kind: 'site-too-old' }
  /** The site was configured before and shows no sign of it now: it may be another site at the same address. */
  | { readonly kind: 'site-replaced'; readonly submission: Submission }
