import { type JsonPointer, segments } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from './json-schema.js'

/** Reads an own member of a map or list; never an inherited one, because names come from users. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Lists the members of a map, or the elements of a list by index; empty for any other value. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Reads the value at a pointer. */
export function valueAt(value: JsonValue | undefined, pointer: JsonPointer): JsonValue | undefined {
  return segments(pointer).reduce(memberOf, value)
}
