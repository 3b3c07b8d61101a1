import type { ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'

/** What a rule looks at: any value at all, for rules run also where the schema has complaints. */
export interface ManifestDocument {
  readonly value: JsonValue
  /** The declared service version, where it can be read. */
  readonly version: ServiceVersion | undefined
  /** The spelling of the number at a place; `undefined` where it is the one that JSON has for it. */
  numeral(pointer: JsonPointer): string | undefined
}

/** One thing that must hold in a manifest and that a schema cannot say, or not well. */
export type Rule = (manifest: ManifestDocument) => Iterable<Diagnostic>

/** Says more of the value of a manifest than its schema and the rules do, which said `known`. */
export type Judge = (value: JsonValue, known: readonly Diagnostic[]) => readonly Diagnostic[]
