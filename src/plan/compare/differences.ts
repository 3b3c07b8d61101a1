import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { listMembers, readMember } from '../../schema/select.js'
import {
  type ComparedField,
  findComparedField,
  interpretValue,
  isSet,
  isUnordered,
  listMemberNames,
  selectMember,
  withoutDefault,
  withQuestionOf,
} from './meaning.js'

/** One field in which two values differ. */
interface FieldDifference {
  /** The pointer of the field in the later value; for a removed field, the pointer that it would have. */
  readonly pointer: JsonPointer
  /** The nearest pointer that is written in the later value: that of the field, or of the value around it. */
  readonly near: JsonPointer
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/**
 * Lists the fields in which two values at the same pointer differ, in the order of the later one. The list is empty exactly
 * if `isSame` is true. An absent field counts as its default, which then is its old or new value.
 */
export function compareValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: JsonPointer,
): readonly FieldDifference[] {
  return [...compareSides({ before, after }, findComparedField(at), at)]
}

interface Sides<V extends JsonValue | undefined = JsonValue | undefined> {
  readonly before: V
  readonly after: V
}

function* compareSides(
  written: Sides,
  field: ComparedField,
  around: JsonPointer,
): Generator<FieldDifference> {
  if (interpretValue(written.before, field) === interpretValue(written.after, field)) return
  const { pointer } = field
  const near = written.after === undefined ? around : pointer
  const [before, after] = [withoutDefault(written.before, field), withoutDefault(written.after, field)]
  if (isObject(before) && isObject(after) && !isWhole(field))
    yield* compareMaps({ before, after }, field, near)
  else if (isLong(before) && isLong(after)) yield* compareLists({ before, after }, field, near)
  else yield* compareLeaves({ before, after }, field, near)
}

/** Tests for a list whose elements are fields of their own. */
function isLong(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value) && !isFlat(value)
}

function* compareLeaves(
  { before, after }: Sides,
  field: ComparedField,
  near: JsonPointer,
): Generator<FieldDifference> {
  const old = new Map(
    before === undefined ? [] : listFieldLeaves(before, field).map(one => [one.pointer, one.value]),
  )
  const next = new Map(
    after === undefined ? [] : listFieldLeaves(after, field).map(one => [one.pointer, one.value]),
  )
  for (const [pointer, value] of next) {
    const was = old.get(pointer)
    const isDefault = near !== field.pointer
    yield {
      pointer,
      near: isDefault ? near : pointer,
      ...(was !== undefined && { before: was }),
      after: value,
    }
  }
  for (const [pointer, value] of old) if (!next.has(pointer)) yield { pointer, near, before: value }
}

function* compareMaps(
  { before, after }: Sides<JsonObject>,
  field: ComparedField,
  near: JsonPointer,
): Generator<FieldDifference> {
  const old = field.schema['x-compare'] === 'question' ? withQuestionOf(before, after) : before
  for (const name of new Set([...listMemberNames(after, field), ...Object.keys(old)])) {
    const sides = { before: readMember(old, name), after: readMember(after, name) }
    yield* compareSides(sides, selectMember(field, name), near)
  }
}

/** Compares two lists. Removed elements get numbers after the others, so that each field has its own pointer. */
function* compareLists(
  lists: Sides<readonly JsonValue[]>,
  field: ComparedField,
  near: JsonPointer,
): Generator<FieldDifference> {
  let end = lists.after.length
  for (const { before, after } of pairElements(lists, field)) {
    const sides = {
      before: before === undefined ? undefined : lists.before[before],
      after: after === undefined ? undefined : lists.after[after],
    }
    yield* compareSides(sides, selectMember(field, after ?? end++), near)
  }
}

/** The positions of an element in two lists; one is absent if only the other list has the element. */
interface Pair {
  readonly before?: number
  readonly after?: number
}

interface Lists {
  readonly before: readonly JsonValue[]
  readonly after: readonly JsonValue[]
}

/**
 * Pairs the elements of two lists, in the order of the second. Ordered lists are paired by position. In others, equal
 * elements are paired first, then those with the same name (`x-merge-by`), then the rest in their order: a renamed element is
 * one change, not two.
 */
function pairElements({ before, after }: Lists, field: ComparedField): readonly Pair[] {
  const left = { before: positions(before, field), after: positions(after, field) }
  const found: Pair[] = []
  const pair = (key: (element: JsonValue, index: number) => string | undefined) => {
    const waiting = new Map<string, number[]>()
    for (const index of left.before) {
      const name = key(before[index] ?? null, index)
      if (name !== undefined) waiting.set(name, [...(waiting.get(name) ?? []), index])
    }
    for (const index of [...left.after]) {
      const name = key(after[index] ?? null, index)
      const match = name === undefined ? undefined : waiting.get(name)?.shift()
      if (match === undefined) continue
      found.push({ before: match, after: index })
      left.before.delete(match)
      left.after.delete(index)
    }
  }
  if (isUnordered(field)) {
    pair((element, index) => interpretValue(element, selectMember(field, index)))
    pair((element, index) => findElementName(element, selectMember(field, index), field))
  }
  const [olds, news] = [[...left.before], [...left.after]]
  const rest = Array.from({ length: Math.max(olds.length, news.length) }, (_, index): Pair => {
    const [old, next] = [olds[index], news[index]]
    return { ...(old !== undefined && { before: old }), ...(next !== undefined && { after: next }) }
  })
  return [...found, ...rest].toSorted((a, b) => (a.after ?? after.length) - (b.after ?? after.length))
}

/** Lists the positions to compare: all positions of a list, but in a set only the first of equal elements. */
function positions(list: readonly JsonValue[], field: ComparedField): Set<number> {
  if (!isSet(field)) return new Set(list.keys())
  const first = new Map<string | undefined, number>()
  for (const [index, element] of list.entries()) {
    const meaning = interpretValue(element, selectMember(field, index))
    if (!first.has(meaning)) first.set(meaning, index)
  }
  return new Set(first.values())
}

/** Finds the name of an element in its list, from the fields in `x-merge-by`. */
function findElementName(element: JsonValue, field: ComparedField, list: ComparedField): string | undefined {
  const keys = list.schema['x-merge-by']
  if (keys === undefined || !isObject(element)) return undefined
  return keys.map(key => interpretValue(readMember(element, key), selectMember(field, key)) ?? '').join()
}

interface Leaf {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/** Splits a value into the fields that a user sees: scalars, references, labels, lists of scalars, and empty values. */
export function listLeaves(value: JsonValue, at: JsonPointer): readonly Leaf[] {
  return listFieldLeaves(value, findComparedField(at))
}

/** Splits a value as `listLeaves` does, for a field that is already found. */
function listFieldLeaves(value: JsonValue, field: ComparedField): readonly Leaf[] {
  const members = listMembers(value)
  if (members.length === 0 || isWhole(field) || isFlat(value)) return [{ pointer: field.pointer, value }]
  return members.flatMap(([name, member]) => listFieldLeaves(member, selectMember(field, name)))
}

/** True for a field that is shown as one value: a reference to a secret, or the labels of a volume. */
function isWhole({ schema }: ComparedField): boolean {
  return schema['x-reference'] !== undefined || typeof schema.additionalProperties === 'object'
}

/** True for a list of scalars. */
function isFlat(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(element => typeof element !== 'object' || element === null)
}
