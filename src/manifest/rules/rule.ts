import type { ManifestDocument } from '../../diagnostics/catalog/rule.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonValue } from '../../schema/json-schema.js'

/** One requirement of a manifest that a schema cannot express well. */
export type Rule = (manifest: ManifestDocument) => Iterable<Diagnostic>

/** Checks a manifest beyond its schema and rules; `known` has their diagnostics. */
export type Judge = (value: JsonValue, known: readonly Diagnostic[]) => readonly Diagnostic[]
