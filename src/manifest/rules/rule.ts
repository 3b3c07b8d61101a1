import type { ServiceVersion } from '../../contract/version.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { JsonValue } from '../../schema/json-schema.js'

/** What a rule looks at: any value at all, for rules run also where the schema has complaints. */
export interface ManifestDocument {
  readonly value: JsonValue
  /** The declared service version, where it can be read. */
  readonly version: ServiceVersion | undefined
}

/** One thing that must hold in a manifest and that a schema cannot say, or not well. */
export type Rule = (manifest: ManifestDocument) => Iterable<Diagnostic>
