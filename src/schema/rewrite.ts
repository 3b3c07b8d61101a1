import type { JsonSchema, JsonValue } from './json-schema.js'

/** Merges parts with the same structure to one definition; editors need them separate, each with its description. */
export function mergeShapes(schema: JsonSchema): JsonSchema {
  const shapes: Record<string, JsonSchema> = {}
  const { definitions, ...rest } = rewrite(schema, node => {
    const { 'x-shape': name, description, markdownDescription, ...shape } = node
    if (name === undefined) return node
    shapes[name] = shape
    return { $ref: `#/definitions/${name}` }
  }) as JsonSchema
  return { ...rest, definitions: { ...definitions, ...shapes } }
}

/** Applies `change` to a schema and to the schemas inside it, the inner ones first. */
export function rewrite(schema: JsonSchema, change: (node: JsonSchema) => object): JsonValue {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return typeof value === 'object' && value !== null ? rewrite(value, change) : value
  }
  const members = Object.entries(schema).map(([keyword, value]) =>
    keyword === 'properties' || keyword === 'definitions'
      ? [
          keyword,
          Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, inner(part)])),
        ]
      : [keyword, inner(value)],
  )
  return change(Object.fromEntries(members)) as JsonValue
}
