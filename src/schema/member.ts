import { type JsonPointer, splitPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from './json-schema.js'

/** Reads an own member of a map or list; never an inherited one, because names come from users. */
export function readMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Lists the names of the members of a map, or the indices of a list; empty for any other value. */
export function listNames(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** Lists the members of a map, or the elements of a list by index; empty for any other value. */
export function listMembers(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Lists the texts in a value, names among them. */
export function listTexts(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return listMembers(value).flatMap(([name, member]) => [name, ...listTexts(member)])
}

/** Reads the value at a pointer. */
export function readValue(value: JsonValue | undefined, pointer: JsonPointer): JsonValue | undefined {
  return splitPointer(pointer).reduce(readMember, value)
}
