import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'

/** The value at one place that a path names; absent where the manifest has none. */
export type FoundValue =
  | { readonly kind: 'written' | 'default'; readonly pointer: JsonPointer; readonly value: JsonValue }
  | { readonly kind: 'absent'; readonly pointer: JsonPointer }
  /** A `*` in the path meets a text or number, which has no elements. */
  | { readonly kind: 'no-list'; readonly pointer: JsonPointer }

/**
 * Finds the values that a manifest has at a path. A field that is not set has its default if it has one and its parent is
 * there; `*` of an absent field yields no values.
 */
export function findValues(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  pointer: JsonPointer = '',
): readonly FoundValue[] {
  if (step === undefined) return [{ kind: 'written', pointer, value }]
  if (step === '*') {
    if (typeof value !== 'object' || value === null) return [{ kind: 'no-list', pointer }]
    return Object.entries(value).flatMap(([key, member]) =>
      findValues(member, rest, appendSegment(pointer, key)),
    )
  }
  const at = appendSegment(pointer, step)
  const member = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  if (member !== undefined && member !== null) return findValues(member, rest, at)
  const fallback = isObject(value) ? findFieldSchema(at).default : undefined
  if (fallback !== undefined)
    return findValues(fallback, rest, at).map(found =>
      found.kind === 'written' ? { ...found, kind: 'default' } : found,
    )
  return rest.includes('*') ? [] : [{ kind: 'absent', pointer: rest.reduce(appendSegment, at) }]
}
