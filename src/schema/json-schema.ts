/** A parsed JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

/** True for a JSON object, not for an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part of JSON Schema draft-07, and of the extensions for editors, that the schemas here use. */
export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $comment?: string
  readonly title?: string
  readonly description?: string
  readonly markdownDescription?: string
  readonly enumDescriptions?: readonly string[]
  readonly patternErrorMessage?: string
  readonly doNotSuggest?: boolean
  readonly defaultSnippets?: readonly Snippet[]
  /** A reference to a secret, or a value that may be one; never a secret itself. */
  readonly 'x-reference'?: 'secret' | 'text-or-secret'
  /** The fields that identify an element of a list when lists are merged. */
  readonly 'x-merge-by'?: readonly string[]
  /** The comparison of two values, if different texts can be equal to the service. */
  readonly 'x-compare'?: 'quantity' | 'path' | 'set' | 'question' | 'text' | 'texts'
  /** Marks a part where versions known only from reports may accept more: other values, or other fields, which are text or secrets. */
  readonly 'x-open'?: 'text' | 'secret'
  /** The name of a structure that several parts share, with different descriptions. */
  readonly 'x-shape'?: string
  /** The source of a field, and the request parameter that it becomes; no published schema has it. */
  readonly 'x-source'?: readonly [source: string, parameter?: string]
  /** The TypeScript type of a structure, and its meaning; no published schema has it. */
  readonly 'x-type'?: readonly [name: string, meaning?: string]
  readonly default?: JsonValue
  readonly examples?: readonly JsonValue[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly JsonValue[]
  readonly const?: JsonValue
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema | false }
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly required?: readonly string[]
  readonly discriminator?: { readonly propertyName: string }
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly definitions?: { readonly [name: string]: JsonSchema }
}

/**
 * A snippet for YAML editors. Texts in `body` are inserted as YAML, with placeholders: `${1:default}` and
 * `${1|one,other|}`.
 */
export interface Snippet {
  readonly label: string
  readonly description: string
  readonly body: JsonValue
  /** True if the snippet is an element of a list, which editors must start with `- `. */
  readonly type?: 'array'
}

/** The group and version of the manifest's own format. */
export const apiVersion = 'landform.dev/v1'
export const kind = 'SiteDeployment'
/** The kind of a policy file: rules that a team keeps next to its manifests. */
export const policyKind = 'SitePolicy'
/** The kind of a test file: expected results of a manifest, in a file next to it. */
export const testKind = 'SiteTest'

/** The dialect of every schema: the newest one that all editors support. */
export const dialect = 'http://json-schema.org/draft-07/schema#'

/** Adds the identifier of a published schema. It is a name, not an address: schemas refer only to themselves. */
export function identify(name: string, { $schema = dialect, ...schema }: JsonSchema): JsonSchema {
  return { $schema, $id: `https://landform.dev/schemas/${name}.schema.json`, ...schema }
}

/**
 * Marks a part of a schema that a manifest rule reports better. Editors and other tools use it; the validator at run time
 * omits it, so that one mistake is one diagnostic.
 */
export function markAsRule(code: string, schema: JsonSchema): JsonSchema {
  return { $comment: `said by rule ${code}`, ...schema }
}

/** Creates a part that applies only if a condition holds. */
export function buildCondition(condition: JsonSchema, part: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: part }
}

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
