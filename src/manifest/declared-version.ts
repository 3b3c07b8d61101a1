import { parseVersion, type ServiceVersion } from '../contract/versions.js'
import type { JsonValue } from '../schema/json-schema.js'
import { select } from './select.js'

/** The service version that a manifest declares; `undefined` where it cannot be read. */
export function declaredVersion(value: JsonValue): ServiceVersion | undefined {
  const [declared] = select(value, '/spec/site/version')
  return typeof declared?.value === 'string' ? parseVersion(declared.value) : undefined
}
