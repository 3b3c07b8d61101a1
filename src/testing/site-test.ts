import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'
import type { ExpectDocument, TestDocument } from '../schema/test-schema.js'

/** A file of tests that fits its schema; only `loadTests` makes one. */
export interface TestFile {
  readonly source: Source
  /** Where things stand in it. */
  readonly document: YamlDocument
  /** Path of the manifest, as seen from the folder of the file. */
  readonly manifest: string
  readonly tests: readonly SiteTest[]
}

/** One test, at a site of its own. */
export interface SiteTest {
  readonly name: string
  readonly pointer: JsonPointer
  /** How the emulated site is, and what goes wrong with it. */
  readonly site: NonNullable<TestDocument['site']>
  /** Runs at that site, one after the other. */
  readonly runs: readonly TestRun[]
}

/** One run: what is changed in the manifest, whether the plan is performed and how, and what must come out. */
export interface TestRun {
  /** Of its `expect`. */
  readonly pointer: JsonPointer
  readonly afterMs: number
  /** What is merged into the manifest, nearest first: what the run says, and before it the test. */
  readonly overlays: readonly Source[]
  /** Absent where nothing is performed. */
  readonly apply?: {
    readonly timeoutMs?: number
    readonly pollMs?: number
    readonly detach: boolean
  }
  readonly expect: ExpectDocument
}
