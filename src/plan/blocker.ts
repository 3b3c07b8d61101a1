import type { Observation } from './observation.js'
import type { Submission } from './submission.js'

/** Why nothing can be planned for a site as it is observed: a person has to repair it, or it is too old. */
export type Blocker =
  | { readonly kind: 'site-failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  | { readonly kind: 'site-unrecognized'; readonly observed: Observation & { readonly kind: 'unrecognized' } }
  | { readonly kind: 'site-too-old' }
  /** What was configured before shows nothing of it now: it may be another site by the same address. */
  | { readonly kind: 'site-replaced'; readonly submission: Submission }
