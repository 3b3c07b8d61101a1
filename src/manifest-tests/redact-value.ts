import { isSecretName } from '../manifest/may-be-secret.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'

/** Redacts a value for display: hides what is written where a secret belongs, as in the lines of the file. */
export function redactValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => redactValue(one))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) && typeof member !== 'object' && member !== '(secret)'
        ? '[hidden]'
        : redactValue(member),
    ]),
  )
}
