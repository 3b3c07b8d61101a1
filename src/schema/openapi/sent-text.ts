import type { Field } from '../../contract/fields.js'
import type { JsonValue } from '../json-schema.js'

/** Formats the value of a plain field as it is sent. Service §4.3. */
export function formatSent(sent: Field['sent'], value: JsonValue): JsonValue {
  if (typeof sent === 'object' && 'member' in sent) return JSON.stringify({ [sent.member]: value })
  return sent === 'json' ? JSON.stringify(value) : value
}
