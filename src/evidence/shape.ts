import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { identifier } from './resources.js'
import {
  dataKeyed,
  findRelease,
  isFieldName,
  isKnownWord,
  type ValuePlace,
  versionField,
} from './vocabulary.js'

/** Structures are kept to this depth, and lists and objects up to this number of members. */
const maxDepth = 16
const maxMembers = 100

/**
 * The structure of an answer, in its own structure: each value is replaced by its type and length, such as `<text 12>`, and so
 * is each key that is no name of a field. Words of the closed vocabulary stay. What has no value is its own shape.
 */
export function toShape(value: JsonValue, resource: string): JsonValue {
  return reduce(value, { resource, parent: '', field: '' }, 0)
}

function reduce(value: JsonValue, place: ValuePlace, depth: number): JsonValue {
  if (value === null) return null
  if (typeof value === 'string') return reduceText(value, place)
  if (typeof value === 'number') return isKnownWord(value, place) ? value : reduceNumber(value)
  if (typeof value === 'boolean') return '<boolean>'
  if (depth >= maxDepth) return '<deeper>'
  return Array.isArray(value)
    ? reduceList(value as readonly JsonValue[], place, depth + 1)
    : reduceObject(value as JsonObject, place, depth + 1)
}

function reduceText(value: string, place: ValuePlace): string {
  if (isKnownWord(value, place)) return value
  const { length } = value
  const release = place.field === versionField ? findRelease(value) : undefined
  if (release !== undefined) return `<version ${release} ${length}>`
  if (identifier.test(value)) return `<identifier ${length}>`
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? `<address ${length}>` : `<text ${length}>`
}

function reduceNumber(value: number): string {
  return Number.isSafeInteger(value) && value >= 0 ? `<integer ${String(value).length}>` : '<number>'
}

function reduceList(list: readonly JsonValue[], place: ValuePlace, depth: number): JsonValue {
  const kept = list.slice(0, maxMembers).map(one => reduce(one, place, depth))
  return list.length > maxMembers ? [...kept, formatMore(list.length - maxMembers)] : kept
}

function reduceObject(object: JsonObject, { resource, field: parent }: ValuePlace, depth: number): JsonValue {
  const seen = new Map<number, number>()
  const entries = Object.entries(object)
  const kept = entries.slice(0, maxMembers)
  const isKept = chooseNames(parent, kept)
  const members = kept.map(([key, value]) => {
    const isName = isKept(key)
    const shape = reduce(value, { resource, parent, field: isName ? key : '' }, depth)
    if (isName) return [key, shape] as const
    const count = (seen.get(key.length) ?? 0) + 1
    seen.set(key.length, count)
    return [`<key ${key.length}${count === 1 ? '' : ` ${count}`}>`, shape] as const
  })
  const more = entries.length - maxMembers
  return Object.fromEntries(more > 0 ? [...members, [formatMore(more), null]] : members)
}

/**
 * Chooses the keys that stay. Where every member is a structure and a key is no name, the keys probably name things of the
 * site, so that a single word is no name either, such as `admin` beside `ada`.
 */
function chooseNames(
  parent: string,
  members: readonly (readonly [string, JsonValue])[],
): (key: string) => boolean {
  if (dataKeyed.includes(parent)) return () => false
  const isStructure = (value: JsonValue) => typeof value === 'object' && value !== null
  const namesThings =
    members.every(([, value]) => isStructure(value)) && members.some(([key]) => !isFieldName(key))
  return key => isFieldName(key) && (!namesThings || /[a-z][A-Z]/.test(key))
}

function formatMore(count: number): string {
  return `<more ${count}>`
}
