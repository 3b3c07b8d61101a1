import { parseVersion, type ServiceVersion } from '../contract/versions.js'
import type { JsonValue } from '../schema/json-schema.js'
import { select } from './select.js'

/** Reads the declared service version of a manifest; `undefined` if it is missing or invalid. */
export function readDeclaredVersion(value: JsonValue): ServiceVersion | undefined {
  const [declared] = select(value, '/spec/site/version')
  return typeof declared?.value === 'string' ? parseVersion(declared.value) : undefined
}
