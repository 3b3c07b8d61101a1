import { newestVersion } from '../contract/versions.js'
import { child, type JsonPointer, segments } from '../diagnostics/pointer.js'
import type { JsonSchema } from './json-schema.js'
import { manifestSchema } from './manifest-schema.js'

let newest: JsonSchema | undefined

/** Made once, and only where a manifest has a mistake. */
function newestSchema(): JsonSchema {
  newest ??= manifestSchema(newestVersion)
  return newest
}

/**
 * The schema of one field of a manifest; empty for a place that no field has. Every place has one schema: the
 * unions of the published schemas stand beside the fields, in parts that rules word better.
 */
export function fieldSchema(pointer: JsonPointer): JsonSchema {
  return schemaAt(newestSchema(), pointer)
}

/** The schema of one place in what a schema describes; empty for a place that it does not have. */
export function schemaAt(root: JsonSchema, pointer: JsonPointer): JsonSchema {
  return segments(pointer).reduce((owner, segment) => memberIn(root, owner, segment), root)
}

/** The schema of a member or element of a manifest, from that of what it stands in. */
export function memberSchema(owner: JsonSchema, segment: string | number): JsonSchema {
  return memberIn(newestSchema(), owner, String(segment))
}

function memberIn(root: JsonSchema, owner: JsonSchema, segment: string): JsonSchema {
  const schema = memberOf(owner, segment)
  const name = schema.$ref?.slice('#/definitions/'.length)
  return name === undefined ? schema : (root.definitions?.[name] ?? {})
}

/** Every field that a manifest can have, in the order of the schema; of a list those of its first entry. */
export function fieldPointers(owner: JsonPointer = ''): readonly JsonPointer[] {
  const { properties = {}, items, 'x-reference': reference } = fieldSchema(owner)
  if (reference !== undefined) return []
  const names = items === undefined ? Object.keys(properties) : ['0']
  return names.flatMap(name => {
    const pointer = child(owner, name)
    return [...(items === undefined ? [pointer] : []), ...fieldPointers(pointer)]
  })
}

function memberOf(owner: JsonSchema, segment: string): JsonSchema {
  const { properties = {}, items, additionalProperties } = owner
  if (Object.hasOwn(properties, segment)) return properties[segment] || {}
  if (items !== undefined) return items
  return typeof additionalProperties === 'object' ? additionalProperties : {}
}
