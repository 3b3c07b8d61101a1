import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../json-schema.js'

/** A schema of a component, by its name. */
export function component(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** What a request carries: which fields may be left out is shown for none of these. */
export function sent(schema: JsonSchema): JsonObject {
  return converted(schema, 'sent')
}

/** What an answer carries, with the fields that every answer has. */
export function answered(schema: JsonSchema): JsonObject {
  return converted(schema, 'answered')
}

/**
 * The same schema with more said of some fields, by their path. A path that leads nowhere is a bug, so that words
 * about a field cannot outlive it.
 */
export function amended(schema: JsonObject, additions: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.entries(additions).reduce(
    (whole, [path, addition]) => amendedAt(whole, path.split('.'), addition),
    schema,
  )
}

/** An object without the members that are `undefined`. */
export function defined(members: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  )
}

/** Few values, and what each of them means. */
export function choice(meanings: Readonly<Record<string, string>>): JsonObject {
  return { type: 'string', enum: Object.keys(meanings), 'x-enumDescriptions': meanings }
}

/**
 * What a schema of ours says of the wire, as JSON Schema 2020-12. Left out is what Landform adds of its own: words for
 * editors, caps, what rules say, defaults, and in manifests the fields that it wants.
 */
function converted(schema: JsonSchema, side: 'sent' | 'answered', outer?: string): JsonObject {
  const { $ref, type, const: only, enum: options, enumDescriptions, examples, items, properties } = schema
  const { additionalProperties: members, required, description, markdownDescription: words } = schema
  if ($ref !== undefined) return component($ref.slice('#/definitions/'.length))
  const section = sectionIn(words) ?? outer
  const inner = (part: JsonSchema) => converted(part, side, section)
  const fields = Object.entries(properties ?? {}).flatMap(([name, part]) =>
    part === false ? [] : [[name, inner(part)] as const],
  )
  return defined({
    description: words?.split('\n\n')[0] ?? description,
    type: typeof type === 'string' || type === undefined ? type : [...type],
    const: only,
    enum: options,
    'x-enumDescriptions':
      enumDescriptions &&
      Object.fromEntries(enumDescriptions.map((meaning, index) => [String(options?.[index]), meaning])),
    examples,
    items: items && inner(items),
    properties: properties && Object.fromEntries(fields),
    additionalProperties: typeof members === 'object' ? inner(members) : undefined,
    required: side === 'answered' ? required : undefined,
    'x-service-section': section === outer ? undefined : section,
    'x-not-shown': side === 'sent' && properties !== undefined ? 'which fields may be left out' : undefined,
  })
}

/** The section that a field names as its source. */
function sectionIn(words = ''): string | undefined {
  // The sign stands in a string, since the bundler does not escape patterns and the launcher reads ASCII.
  const [, source = ''] = words.split('*Service §')
  return /^[\d.]*\d/.exec(source)?.[0]
}

function amendedAt(schema: JsonObject, path: readonly string[], addition: JsonObject): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return { ...schema, ...addition }
  const { items, properties } = schema
  if (isObject(items)) return { ...schema, items: amendedAt(items, path, addition) }
  const field = isObject(properties) ? properties[name] : undefined
  if (!isObject(properties) || !isObject(field)) throw new Error(`no schema has the field ${path.join('.')}`)
  return { ...schema, properties: { ...properties, [name]: amendedAt(field, rest, addition) } }
}
