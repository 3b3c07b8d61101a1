import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonObject } from '../schema/json-schema.js'

/** What came out of a run, as far as it got; what is absent did not come about. */
export interface Happening {
  /** All that was said of the manifest. */
  readonly diagnostics: readonly Diagnostic[]
  /** The names of the rules of the team that it violates. */
  readonly policy: readonly string[]
  readonly plan?: {
    readonly actions: readonly JsonObject[]
    /** Paths of the edits that nothing can carry out. */
    readonly immutable: readonly string[]
    /** Why there is none. */
    readonly obstacle?: string
  }
  /** Those of this run that are more than a look. */
  readonly requests?: readonly JsonObject[]
  readonly outcome?: string
  readonly exitCode?: number
  /** How often the site took a `configure`, in all runs of the test so far. */
  readonly configured?: number
  readonly events?: readonly string[]
  /** How long the apply took, on the clock of the emulator. */
  readonly elapsedMs?: number
}
