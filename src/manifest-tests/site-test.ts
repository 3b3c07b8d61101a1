import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'
import type { Emulated, Expect } from '../schema/generated/test.js'

/** A test file that fits its schema; only `loadTests` makes one. */
export interface TestFile {
  readonly source: Source
  /** Positions of its parts. */
  readonly document: YamlDocument
  /** Path of the manifest, relative to the folder of the file. */
  readonly manifest: string
  readonly tests: readonly SiteTest[]
}

/** One test, with a site of its own. */
export interface SiteTest {
  readonly name: string
  readonly pointer: JsonPointer
  /** The settings and faults of the emulated site. */
  readonly site: Emulated
  /** Runs against that site, in order. */
  readonly runs: readonly TestRun[]
}

/** One run: changes to the manifest, options of the apply if there is one, and the expected results. */
export interface TestRun {
  /** Pointer to its `expect`. */
  readonly pointer: JsonPointer
  readonly afterMs: number
  /** Overlays to merge into the manifest, nearest first: that of the run, then that of the test. */
  readonly overlays: readonly Source[]
  /** Absent if the run only plans. */
  readonly apply?: {
    readonly timeoutMs?: number
    readonly pollMs?: number
    readonly detach: boolean
  }
  readonly expect: Expect
}
