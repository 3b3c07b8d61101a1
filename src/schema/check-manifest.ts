import { errorsOf, type SchemaError } from './check.js'
import { manifest } from './generated/validators/manifest.js'
import type { JsonValue } from './json-schema.js'

/** What the newest schema says against a manifest; empty when it fits. */
export function checkManifest(value: JsonValue): readonly SchemaError[] {
  return errorsOf(manifest, value)
}
