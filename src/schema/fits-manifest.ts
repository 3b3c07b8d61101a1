import { fits } from './generated/validators/fits.js'
import type { JsonValue } from './json-schema.js'

/** True when the newest schema has nothing against a manifest: as `checkManifest`, in less time and without reasons. */
export function fitsManifest(value: JsonValue): boolean {
  return (fits as (value: JsonValue) => boolean)(value)
}
