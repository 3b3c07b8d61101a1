import { soundsSecret } from '../manifest/redacted-text.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'

/** Redacts a value for display: hides what is written where a secret belongs, as in the lines of the file. */
export function redactedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => redactedValue(one))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      soundsSecret(name) && typeof member !== 'object' && member !== '(secret)'
        ? '[hidden]'
        : redactedValue(member),
    ]),
  )
}
