import { type JsonPointer, segments } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from './json-schema.js'

/** What a map or list has by a name: nothing of what every object has, for names come from outside. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The members of a map, or the elements of a list by their numbers; none of anything else. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** What stands at a place of a value. */
export function valueAt(value: JsonValue | undefined, pointer: JsonPointer): JsonValue | undefined {
  return segments(pointer).reduce(memberOf, value)
}
