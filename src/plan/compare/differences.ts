import type { JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { memberOf } from '../../schema/member.js'
import { type Field, fieldAt, memberField, said } from './field.js'
import { isFlat, isWhole, leavesOf } from './leaves.js'
import { meaningOf, namesIn } from './meaning.js'
import { pairsOf } from './pairs.js'
import { askedLike } from './question.js'

/** One field in which two values differ. */
export interface Difference {
  /** Where it stands in the value after, or would. */
  readonly pointer: JsonPointer
  /** The nearest place that the value after has written: the field itself, or what it would stand in. */
  readonly near: JsonPointer
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/**
 * The fields in which two values at a place of a manifest say different things, in the order of the second; none
 * just where `isSame` holds. What is absent counts as its default, which then is the old or the new value.
 */
export function differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: JsonPointer,
): readonly Difference[] {
  return [...differing({ before, after }, fieldAt(at), at)]
}

interface Sides<V extends JsonValue | undefined = JsonValue | undefined> {
  readonly before: V
  readonly after: V
}

function* differing(written: Sides, field: Field, around: JsonPointer): Generator<Difference> {
  if (meaningOf(written.before, field) === meaningOf(written.after, field)) return
  const { pointer } = field
  const near = written.after === undefined ? around : pointer
  const [before, after] = [said(written.before, field), said(written.after, field)]
  if (isObject(before) && isObject(after) && !isWhole(field)) yield* ofMaps({ before, after }, field, near)
  else if (isLong(before) && isLong(after)) yield* ofLists({ before, after }, field, near)
  else yield* ofLeaves({ before, after }, field, near)
}

/** True for a list whose elements are fields of their own. */
function isLong(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value) && !isFlat(value)
}

function* ofLeaves({ before, after }: Sides, field: Field, near: JsonPointer): Generator<Difference> {
  const old = new Map(
    before === undefined ? [] : leavesOf(before, field).map(one => [one.pointer, one.value]),
  )
  const next = new Map(after === undefined ? [] : leavesOf(after, field).map(one => [one.pointer, one.value]))
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

function* ofMaps(
  { before, after }: Sides<JsonObject>,
  field: Field,
  near: JsonPointer,
): Generator<Difference> {
  const old = field.schema['x-compare'] === 'question' ? askedLike(before, after) : before
  for (const name of new Set([...namesIn(after, field), ...Object.keys(old)])) {
    const sides = { before: memberOf(old, name), after: memberOf(after, name) }
    yield* differing(sides, memberField(field, name), near)
  }
}

/** Elements that go away are numbered after those that stay, so that no two fields have one pointer. */
function* ofLists(
  lists: Sides<readonly JsonValue[]>,
  field: Field,
  near: JsonPointer,
): Generator<Difference> {
  let end = lists.after.length
  for (const { before, after } of pairsOf(lists, field)) {
    const sides = {
      before: before === undefined ? undefined : lists.before[before],
      after: after === undefined ? undefined : lists.after[after],
    }
    yield* differing(sides, memberField(field, after ?? end++), near)
  }
}
