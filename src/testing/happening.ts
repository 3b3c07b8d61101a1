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
  /** Those that are more than a look, in all runs of the test so far where it is the last that counts: this run alone. */
  readonly requests?: readonly JsonObject[]
  readonly outcome?: string
  readonly exitCode?: number
  readonly configured?: number
  readonly events?: readonly string[]
  /** How long the apply took, on the clock of the emulator. */
  readonly elapsedMs?: number
}
