import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonObject } from '../schema/json-schema.js'

/** The results of a run, as far as it got; absent for steps it did not reach. */
export interface TestResult {
  /** All diagnostics of the manifest. */
  readonly diagnostics: readonly Diagnostic[]
  /** The names of the policy rules that it violates. */
  readonly policy: readonly string[]
  readonly plan?: {
    readonly actions: readonly JsonObject[]
    /** Paths of the edits of immutable fields. */
    readonly immutable: readonly string[]
    /** The code of the reason why there is no plan. */
    readonly obstacle?: string
  }
  /** The requests of this run, without those that only read. */
  readonly requests?: readonly JsonObject[]
  readonly outcome?: string
  readonly exitCode?: number
  /** The number of `configure` requests that the site accepted, in all runs of the test so far. */
  readonly configured?: number
  readonly events?: readonly string[]
  /** The duration of the apply, on the clock of the emulator. */
  readonly elapsedMs?: number
}
