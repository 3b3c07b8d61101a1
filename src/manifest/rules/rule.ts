import type { ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import type { ValueIndex } from '../select.js'

/** The input of a rule: any value, because rules also run if the schema reports errors. */
export interface ManifestDocument {
  readonly value: JsonValue
  /** The declared service version, if it is valid. */
  readonly version: ServiceVersion | undefined
  readonly index: ValueIndex
  /** The source text of a number; `undefined` if it equals the JSON notation. */
  numeral(pointer: JsonPointer): string | undefined
}

/** One requirement of a manifest that a schema cannot express well. */
export type Rule = (manifest: ManifestDocument) => Iterable<Diagnostic>

/** Checks a manifest beyond its schema and rules, whose diagnostics are `known`. */
export type Judge = (value: JsonValue, known: readonly Diagnostic[]) => readonly Diagnostic[]
