import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'

/** The side that a part of a merged value is from, and its pointer there. */
type PartOrigin =
  | { readonly side: 'base'; readonly pointer: JsonPointer }
  | { readonly side: 'over'; readonly pointer: JsonPointer; readonly under?: LowerPart }

/** The part below: merged with this one, or replaced by it. */
export interface LowerPart {
  readonly pointer: JsonPointer
  readonly how: 'merged' | 'replaced'
}

/** A merged value; a part without an entry has the origin of its nearest parent. */
interface MergedValue {
  readonly value: JsonValue
  readonly origins: ReadonlyMap<JsonPointer, PartOrigin>
}

/**
 * Merges a manifest over its base: maps key by key, lists by their natural key if they have one. Any other value
 * replaces that of the base, and `null` removes it.
 */
export function merge(over: JsonValue, base: JsonValue): MergedValue {
  const origins = new Map<JsonPointer, PartOrigin>()
  const value = mergeParts('', { pointer: '', value: over }, { pointer: '', value: base }, origins)
  return { value, origins }
}

/** A value on one side. */
interface MergePart<V extends JsonValue = JsonValue> {
  readonly pointer: JsonPointer
  readonly value: V
}

type PartOrigins = Map<JsonPointer, PartOrigin>

function mergeParts(at: JsonPointer, over: MergePart, base: MergePart, origins: PartOrigins): JsonValue {
  const set = (how: LowerPart['how']) =>
    origins.set(at, { side: 'over', pointer: over.pointer, under: { pointer: base.pointer, how } })
  // `{ file }` instead of `{ env }` must not become a reference to both.
  const { 'x-reference': reference, 'x-merge-by': keys } = findFieldSchema(at)
  if (isObject(over.value) && isObject(base.value) && reference === undefined) {
    set('merged')
    return mergeMaps(at, { ...over, value: over.value }, { ...base, value: base.value }, origins)
  }
  if (Array.isArray(over.value) && Array.isArray(base.value) && keys !== undefined) {
    set('merged')
    return mergeLists(at, listElements(over), listElements(base), origins)
  }
  set('replaced')
  return over.value
}

function mergeMaps(
  at: JsonPointer,
  over: MergePart<JsonObject>,
  base: MergePart<JsonObject>,
  origins: PartOrigins,
): JsonValue {
  const members: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(base.value)) {
    // The base is already merged with the file that it extends.
    if (at === '' && key === 'extends') continue
    const pointer = appendSegment(at, key)
    const own = Object.hasOwn(over.value, key) ? over.value[key] : undefined
    const part = { pointer: appendSegment(base.pointer, key), value }
    if (own === null) continue
    const mine = { pointer: appendSegment(over.pointer, key), value: own ?? null }
    members.push([
      key,
      own === undefined ? takePart(pointer, part, 'base', origins) : mergeParts(pointer, mine, part, origins),
    ])
  }
  for (const [key, value] of Object.entries(over.value)) {
    const pointer = appendSegment(at, key)
    const isMerged = Object.hasOwn(base.value, key) && !(at === '' && key === 'extends')
    // Removing a field that is not set is allowed, unless the field does not exist at all.
    const removesNothing = value === null && Object.keys(findFieldSchema(pointer)).length > 0
    if (isMerged || removesNothing) continue
    members.push([
      key,
      takePart(pointer, { pointer: appendSegment(over.pointer, key), value }, 'over', origins),
    ])
  }
  return Object.fromEntries(members)
}

function mergeLists(
  at: JsonPointer,
  over: readonly MergePart[],
  base: readonly MergePart[],
  origins: PartOrigins,
): JsonValue {
  const left = [...over]
  const elements: JsonValue[] = []
  for (const part of base) {
    const name = computeMergeKey(at, part.value)
    const found = name === undefined ? -1 : left.findIndex(({ value }) => computeMergeKey(at, value) === name)
    const [own] = found === -1 ? [] : left.splice(found, 1)
    const pointer = appendSegment(at, elements.length)
    elements.push(
      own === undefined ? takePart(pointer, part, 'base', origins) : mergeParts(pointer, own, part, origins),
    )
  }
  for (const part of left) elements.push(takePart(appendSegment(at, elements.length), part, 'over', origins))
  return elements
}

function takePart(
  at: JsonPointer,
  { pointer, value }: MergePart,
  side: PartOrigin['side'],
  origins: PartOrigins,
): JsonValue {
  origins.set(at, { side, pointer })
  return value
}

function listElements({ pointer, value }: MergePart): readonly MergePart[] {
  if (!Array.isArray(value)) return []
  return value.map((element: JsonValue, index) => ({
    pointer: appendSegment(pointer, index),
    value: element,
  }))
}

/** Computes the merge key of an element; `undefined` if it has no part of the key. */
function computeMergeKey(list: JsonPointer, element: JsonValue): string | undefined {
  if (!isObject(element)) return undefined
  const parts = (findFieldSchema(list)['x-merge-by'] ?? []).map(key => element[key] ?? null)
  return parts.every(part => part === null) ? undefined : JSON.stringify(parts)
}
