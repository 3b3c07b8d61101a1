import type { Fix } from '../diagnostics/catalog/entry.js'
import { type JsonPointer, readLastSegment, readParent, splitPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'

/** Computes the value that a fixed text should have. */
export function applyFix(root: JsonValue, pointer: JsonPointer, fix: Fix): JsonValue {
  const name = readLastSegment(pointer)
  return changeAt(root, splitPointer(readParent(pointer)), owner => {
    if (Array.isArray(owner))
      return owner.map((element: JsonValue, index) =>
        fix.kind === 'replace' && String(index) === name ? fix.by : element,
      )
    if (!isObject(owner)) return owner
    const members = Object.entries(owner).map(([key, value]): [string, JsonValue] => {
      if (key !== name) return [key, value]
      return fix.kind === 'rename' ? [fix.to, value] : [key, fix.by]
    })
    return Object.fromEntries(members)
  })
}

function changeAt(
  value: JsonValue,
  [first, ...rest]: readonly string[],
  change: (owner: JsonValue) => JsonValue,
): JsonValue {
  if (first === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((element: JsonValue, index) =>
      String(index) === first ? changeAt(element, rest, change) : element,
    )
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === first ? changeAt(member, rest, change) : member,
    ]),
  )
}
