import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'

/** The side that a part of a merged value is from, and its pointer there. */
export type From =
  | { readonly side: 'base'; readonly pointer: JsonPointer }
  | { readonly side: 'over'; readonly pointer: JsonPointer; readonly under?: Under }

/** The part below: merged with this one, or replaced by it. */
export interface Under {
  readonly pointer: JsonPointer
  readonly how: 'merged' | 'replaced'
}

/** A merged value; a part without an entry has the origin of its nearest parent. */
export interface Merged {
  readonly value: JsonValue
  readonly origins: ReadonlyMap<JsonPointer, From>
}

/**
 * Merges a manifest over its base: maps merge key by key, lists by a natural key if they have one, and every other
 * value replaces; `null` removes.
 */
export function merge(over: JsonValue, base: JsonValue): Merged {
  const origins = new Map<JsonPointer, From>()
  const value = both('', { pointer: '', value: over }, { pointer: '', value: base }, origins)
  return { value, origins }
}

/** A value on one side. */
interface Part<V extends JsonValue = JsonValue> {
  readonly pointer: JsonPointer
  readonly value: V
}

type Origins = Map<JsonPointer, From>

function both(at: JsonPointer, over: Part, base: Part, origins: Origins): JsonValue {
  const set = (how: Under['how']) =>
    origins.set(at, { side: 'over', pointer: over.pointer, under: { pointer: base.pointer, how } })
  // `{ file }` in place of `{ env }` must not become a reference to both.
  const { 'x-reference': reference, 'x-merge-by': keys } = fieldSchema(at)
  if (isObject(over.value) && isObject(base.value) && reference === undefined) {
    set('merged')
    return maps(at, { ...over, value: over.value }, { ...base, value: base.value }, origins)
  }
  if (Array.isArray(over.value) && Array.isArray(base.value) && keys !== undefined) {
    set('merged')
    return lists(at, elementsOf(over), elementsOf(base), origins)
  }
  set('replaced')
  return over.value
}

function maps(at: JsonPointer, over: Part<JsonObject>, base: Part<JsonObject>, origins: Origins): JsonValue {
  const members: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(base.value)) {
    // The base is already merged with the file that it extends.
    if (at === '' && key === 'extends') continue
    const pointer = child(at, key)
    const own = Object.hasOwn(over.value, key) ? over.value[key] : undefined
    const part = { pointer: child(base.pointer, key), value }
    if (own === null) continue
    const mine = { pointer: child(over.pointer, key), value: own ?? null }
    members.push([
      key,
      own === undefined ? taken(pointer, part, 'base', origins) : both(pointer, mine, part, origins),
    ])
  }
  for (const [key, value] of Object.entries(over.value)) {
    const pointer = child(at, key)
    const isMerged = Object.hasOwn(base.value, key) && !(at === '' && key === 'extends')
    // Removing a field that is not set is allowed, unless the field does not exist at all.
    const removesNothing = value === null && Object.keys(fieldSchema(pointer)).length > 0
    if (isMerged || removesNothing) continue
    members.push([key, taken(pointer, { pointer: child(over.pointer, key), value }, 'over', origins)])
  }
  return Object.fromEntries(members)
}

function lists(at: JsonPointer, over: readonly Part[], base: readonly Part[], origins: Origins): JsonValue {
  const left = [...over]
  const elements: JsonValue[] = []
  for (const part of base) {
    const name = nameOf(at, part.value)
    const found = name === undefined ? -1 : left.findIndex(({ value }) => nameOf(at, value) === name)
    const [own] = found === -1 ? [] : left.splice(found, 1)
    const pointer = child(at, elements.length)
    elements.push(
      own === undefined ? taken(pointer, part, 'base', origins) : both(pointer, own, part, origins),
    )
  }
  for (const part of left) elements.push(taken(child(at, elements.length), part, 'over', origins))
  return elements
}

function taken(at: JsonPointer, { pointer, value }: Part, side: From['side'], origins: Origins): JsonValue {
  origins.set(at, { side, pointer })
  return value
}

function elementsOf({ pointer, value }: Part): readonly Part[] {
  if (!Array.isArray(value)) return []
  return value.map((element: JsonValue, index) => ({ pointer: child(pointer, index), value: element }))
}

/** Computes the merge key of an element; `undefined` if it has no part of the key. */
function nameOf(list: JsonPointer, element: JsonValue): string | undefined {
  if (!isObject(element)) return undefined
  const parts = (fieldSchema(list)['x-merge-by'] ?? []).map(key => element[key] ?? null)
  return parts.every(part => part === null) ? undefined : JSON.stringify(parts)
}
