import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../json-schema.js'

/** Creates a reference to a component schema. */
export function buildComponentReference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Converts a schema for a request; the document does not show which fields are optional. */
export function convertRequest(schema: JsonSchema): JsonObject {
  return convertSchema(schema, 'sent')
}

/** Converts a schema for a response, with the fields that every response has. */
export function convertResponse(schema: JsonSchema): JsonObject {
  return convertSchema(schema, 'answered')
}

/**
 * Adds details to some fields of a schema, by path. An unknown path is a bug, so that details cannot outlive their
 * field.
 */
export function amendSchema(schema: JsonObject, additions: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.entries(additions).reduce(
    (whole, [path, addition]) => amendAt(whole, path.split('.'), addition),
    schema,
  )
}

/** Removes the `undefined` members of an object. */
export function removeUndefined(members: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  )
}

/** Creates an enumeration, with the meaning of each value. */
export function buildChoice(meanings: Readonly<Record<string, string>>): JsonObject {
  return { type: 'string', enum: Object.keys(meanings), 'x-enumDescriptions': meanings }
}

/**
 * Converts a manifest schema to JSON Schema 2020-12 of the wire format. Omits the additions of Landform: descriptions for
 * editors, caps, rules, defaults, and the required fields of manifests.
 */
function convertSchema(schema: JsonSchema, side: 'sent' | 'answered', outer?: string): JsonObject {
  const { $ref, type, const: only, enum: options, enumDescriptions, examples, items, properties } = schema
  const { additionalProperties: members, required, description, markdownDescription: words } = schema
  if ($ref !== undefined) return buildComponentReference($ref.slice('#/definitions/'.length))
  const section = readSection(words) ?? outer
  const inner = (part: JsonSchema) => convertSchema(part, side, section)
  const fields = Object.entries(properties ?? {}).flatMap(([name, part]) =>
    part === false ? [] : [[name, inner(part)] as const],
  )
  return removeUndefined({
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
    'x-not-shown': side === 'sent' && properties !== undefined ? 'which fields are optional' : undefined,
  })
}

/** Reads the section that a field names as its source. */
function readSection(words = ''): string | undefined {
  // The sign is in a string, because the bundler does not escape patterns and the launcher reads ASCII.
  const [, source = ''] = words.split('*Service §')
  return /^[\d.]*\d/.exec(source)?.[0]
}

function amendAt(schema: JsonObject, path: readonly string[], addition: JsonObject): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return { ...schema, ...addition }
  const { items, properties } = schema
  if (isObject(items)) return { ...schema, items: amendAt(items, path, addition) }
  const field = isObject(properties) ? properties[name] : undefined
  if (!isObject(properties) || !isObject(field)) throw new Error(`no schema has the field ${path.join('.')}`)
  return { ...schema, properties: { ...properties, [name]: amendAt(field, rest, addition) } }
}
