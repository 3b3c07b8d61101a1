import type { JsonPointer } from '../diagnostics/pointer.js'
import { refersToSecret } from '../plan/recorded.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { display } from './display.js'

/** A value of a field on one line: a reference as where the secret is from, labels as pairs. */
export function formatValue(pointer: JsonPointer, value: JsonValue): string {
  if (isObject(value) && refersToSecret(pointer, value)) {
    const { env, file } = value
    return display(typeof env === 'string' ? `(secret from ${env})` : `(secret from file ${String(file)})`)
  }
  const members = isObject(value) ? Object.entries(value) : []
  if (members.length > 0 && members.every(([, member]) => typeof member === 'string'))
    return members.map(([key, member]) => display(`${key}=${String(member)}`)).join(' ')
  return display(typeof value === 'string' ? value : JSON.stringify(value), 200)
}
