import { child, type JsonPointer, nameOf, parentOf } from '../../diagnostics/pointer.js'
import { fieldSchema, memberSchema } from '../../schema/field-schema.js'
import { isObject, type JsonSchema, type JsonValue } from '../../schema/json-schema.js'

/** A field of a manifest: where it stands and what it may be. */
export interface Field {
  readonly pointer: JsonPointer
  readonly schema: JsonSchema
  /** One of the named members of a map that may be absent: empty then says no more than absent. */
  readonly optional: boolean
}

/** The field at a place of a manifest. */
export function fieldAt(pointer: JsonPointer): Field {
  const owner = parentOf(pointer)
  if (pointer === '') return { pointer, schema: fieldSchema(''), optional: false }
  return memberField({ pointer: owner, schema: fieldSchema(owner), optional: false }, nameOf(pointer))
}

/** A member or element of what a field holds. */
export function memberField({ pointer, schema }: Field, name: string | number): Field {
  const { properties, required = [] } = schema
  const optional =
    properties !== undefined && Object.hasOwn(properties, name) && !required.includes(`${name}`)
  // Parameters that travel as text: a number there is what its digits are.
  const own = schema['x-compare'] === 'texts' ? asText : memberSchema(schema, name)
  return { pointer: child(pointer, name), schema: own, optional }
}

const asText: JsonSchema = { 'x-compare': 'text' }

/**
 * What a field says, whether it is written out or not: its default where it is absent, and nothing where it is
 * optional and empty. A map is empty only where its schema asks for no member: a demand without terms is none.
 */
export function said(value: JsonValue | undefined, { schema, optional }: Field): JsonValue | undefined {
  if (!optional) return value
  const written = value === undefined || isEmpty(value, schema) ? undefined : value
  return written ?? (typeof schema.default === 'object' ? undefined : schema.default)
}

function isEmpty(value: JsonValue, { required = [] }: JsonSchema): boolean {
  if (Array.isArray(value) || typeof value === 'string') return value.length === 0
  return isObject(value) && required.length === 0 && Object.keys(value).length === 0
}
