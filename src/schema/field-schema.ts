import { secretReference } from './fields.js'
import type { JsonSchema } from './json-schema.js'
import { newestSchema } from './manifest-schema.js'
import { appendSegment, type JsonPointer, splitPointer } from './pointer.js'

/**
 * Finds the schema of one field of a manifest; empty for a place without a field. Every place has one schema: the unions
 * of the published schemas are in separate parts, which rules report better.
 */
export function findFieldSchema(pointer: JsonPointer): JsonSchema {
  return findSchema(newestSchema(), pointer)
}

/** Finds the schema of one place in another schema; empty for an unknown place. */
export function findSchema(root: JsonSchema, pointer: JsonPointer): JsonSchema {
  return splitPointer(pointer).reduce((owner, segment) => resolveMember(root, owner, segment), root)
}

/** Finds the schema of a member or element in the schema of its map or list. */
export function findMemberSchema(owner: JsonSchema, segment: string | number): JsonSchema {
  return resolveMember(newestSchema(), owner, String(segment))
}

function resolveMember(root: JsonSchema, owner: JsonSchema, segment: string): JsonSchema {
  const schema = readMemberSchema(owner, segment)
  const name = schema.$ref?.slice('#/definitions/'.length)
  return name === undefined ? schema : (root.definitions?.[name] ?? {})
}

/** Lists every field that a manifest can have, in the order of the schema; of a list, the fields of its first entry. */
export function listFieldPointers(owner: JsonPointer = ''): readonly JsonPointer[] {
  const { properties = {}, items, 'x-reference': reference } = findFieldSchema(owner)
  if (reference !== undefined) return []
  const fields = Object.keys(properties).map(name => appendSegment(owner, name))
  const elements = items === undefined ? [] : listFieldPointers(appendSegment(owner, '0'))
  return [...fields.flatMap(pointer => [pointer, ...listFieldPointers(pointer)]), ...elements]
}

function readMemberSchema(owner: JsonSchema, segment: string): JsonSchema {
  const { properties = {}, items, additionalProperties } = owner
  if (Object.hasOwn(properties, segment)) return properties[segment] || {}
  if (items !== undefined && /^\d+$/.test(segment)) return items
  if (owner['x-open'] === 'secret') return secretReference
  return typeof additionalProperties === 'object' ? additionalProperties : {}
}
