import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { membersOf } from '../../schema/member.js'
import { type Field, fieldAt, memberField } from './field.js'

export interface Leaf {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/**
 * Splits what stands at a place into what a person would call its fields: scalars, references, labels, lists of
 * scalars, and whatever is empty.
 */
export function leaves(value: JsonValue, at: JsonPointer): readonly Leaf[] {
  return leavesOf(value, fieldAt(at))
}

/** The same of a field that is known already. */
export function leavesOf(value: JsonValue, field: Field): readonly Leaf[] {
  const members = membersOf(value)
  if (members.length === 0 || isWhole(field) || isFlat(value)) return [{ pointer: field.pointer, value }]
  return members.flatMap(([name, member]) => leavesOf(member, memberField(field, name)))
}

/** True for a field that is one value to a person: where a secret comes from, and the labels of a volume. */
export function isWhole({ schema }: Field): boolean {
  return schema['x-reference'] !== undefined || typeof schema.additionalProperties === 'object'
}

/** True for a list of scalars. */
export function isFlat(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(element => typeof element !== 'object' || element === null)
}
