import { collectErrors, type SchemaError } from './check.js'
import { manifest } from './generated/validators/manifest.js'
import type { JsonValue } from './json-schema.js'

/** Validates a manifest against the newest schema; returns the errors. */
export function checkManifest(value: JsonValue): readonly SchemaError[] {
  return collectErrors(manifest, value)
}
