import { parseQuantity } from '../../contract/quantity.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { memberOf } from '../../schema/member.js'
import { type Field, fieldAt, memberField, said } from './field.js'
import { askedByIndex } from './question.js'

/**
 * True when two values of the field at a place say the same to the service, however they are written: sizes by what
 * they come to, defaults written out or not, and lists whose order means nothing in any order.
 */
export function isSame(one: JsonValue | undefined, other: JsonValue | undefined, at: JsonPointer): boolean {
  const field = fieldAt(at)
  return meaningOf(one, field) === meaningOf(other, field)
}

/** A text that just the values share that say the same in a field; `undefined` where one says nothing. */
export function meaningOf(value: JsonValue | undefined, field: Field): string | undefined {
  const told = said(value, field)
  return told === undefined ? undefined : meaningIn(told, field)
}

function meaningIn(value: JsonValue, field: Field): string {
  if (Array.isArray(value)) return `[${elementMeanings(value, field).join()}]`
  if (isObject(value)) return `{${memberMeanings(value, field).join()}}`
  return scalarMeaning(value, field)
}

function scalarMeaning(value: JsonValue, { schema }: Field): string {
  const comparison = schema['x-compare']
  if (comparison === 'text') return JSON.stringify(String(value))
  if (typeof value !== 'string') return JSON.stringify(value)
  if (comparison === 'path') return JSON.stringify(plainPath(value))
  // What is no quantity is compared as text; the letter makes a size unlike any number.
  const size = comparison === 'quantity' ? parseQuantity(value) : undefined
  return size === undefined ? JSON.stringify(value) : `${size}n`
}

function elementMeanings(list: readonly JsonValue[], field: Field): readonly string[] {
  const meanings = list.map((element, index) => meaningIn(element, memberField(field, index)))
  if (!isUnordered(field)) return meanings
  return (isSet(field) ? [...new Set(meanings)] : meanings).toSorted()
}

function memberMeanings(map: JsonObject, field: Field): readonly string[] {
  const members = field.schema['x-compare'] === 'question' ? askedByIndex(map) : map
  return namesIn(members, field)
    .toSorted()
    .flatMap(name => {
      const meaning = meaningOf(memberOf(members, name), memberField(field, name))
      return meaning === undefined ? [] : [`${JSON.stringify(name)}:${meaning}`]
    })
}

/** The members that a map has, and those that it has by default. */
export function namesIn(map: JsonObject, { schema }: Field): readonly string[] {
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    part !== false && part.default !== undefined ? [name] : [],
  )
  return [...new Set([...Object.keys(map), ...defaults])]
}

/** True for a list whose order says nothing. */
export function isUnordered(field: Field): boolean {
  return isSet(field) || field.schema['x-merge-by'] !== undefined
}

/** True for a list in which an element that stands there twice says no more than once. */
export function isSet({ schema }: Field): boolean {
  return schema['x-compare'] === 'set'
}

/** `./a//b` is the file `a/b`. */
function plainPath(path: string): string {
  return path
    .split('/')
    .filter(segment => segment !== '' && segment !== '.')
    .join('/')
}
