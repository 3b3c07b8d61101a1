import type { ServiceVersion } from '../../contract/versions.js'
import type { JsonValue } from '../../schema/json-schema.js'
import type { JsonPointer } from '../../schema/pointer.js'
import type { ValueIndex } from '../../schema/select.js'
import type { CatalogEntry } from './entry.js'

/** The input of a rule. The value has any type, because rules also run if the schema reports errors. */
export interface ManifestDocument {
  readonly value: JsonValue
  /** The declared service version, if it is valid. */
  readonly version: ServiceVersion | undefined
  readonly index: ValueIndex
  /** The source text of a number; `undefined` if it equals the JSON notation. */
  numeral(pointer: JsonPointer): string | undefined
}

/** An entry with its check: a requirement of a manifest that a schema cannot express well. */
export interface CatalogRule<F> extends CatalogEntry<F> {
  /** Finds every violation: its place, and the facts for its wording. */
  readonly check: (manifest: ManifestDocument) => Iterable<readonly [JsonPointer, F]>
}

/** Gives the wording of a rule the type of the facts that its check finds; `check` comes before `message`. */
export function defineRule<F>(rule: Omit<CatalogRule<F>, 'phase'>): CatalogRule<F> {
  return { phase: 'manifest', ...rule }
}
