/** A JSON value as it comes out of a parser. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

/** True for a JSON object, that is for no array and not for null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part of JSON Schema draft-07, and of what editors read beside it, that the schemas here use. */
export interface JsonSchema {
  readonly $schema?: string
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
  /** A list whose elements have these fields for a name, by which lists merge. */
  readonly 'x-merge-by'?: readonly string[]
  /** How two values are compared, where it is not letter by letter: what is the same to the service is the same. */
  readonly 'x-compare'?: 'quantity' | 'path' | 'set' | 'question' | 'text' | 'texts'
  /** Versions that only reports have may know more here: another value, or other fields, which are text or secrets. */
  readonly 'x-open'?: 'text' | 'secret'
  /** What has one shape with other parts and differs from them in its words only. */
  readonly 'x-shape'?: string
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
 * A piece that YAML editors offer. Texts in `body` go into the file as they are, as YAML, with places to fill in:
 * `${1:default}` and `${1|one,other|}`.
 */
export interface Snippet {
  readonly label: string
  readonly description: string
  readonly body: JsonValue
  /** Where the piece is one element of a list, and editors have to begin it as such. */
  readonly type?: 'array'
}

/** The dialect of every schema here: the newest one that all editors read. */
export const dialect = 'http://json-schema.org/draft-07/schema#'

/**
 * A part of a schema that a rule of the manifest words better than a schema can. Editors and other tools read
 * it; the validator at run time leaves it out, so that one mistake is one diagnostic.
 */
export function saidByRule(code: string, schema: JsonSchema): JsonSchema {
  return { $comment: `said by rule ${code}`, ...schema }
}

/** A part that counts only where a condition holds. */
export function when(condition: JsonSchema, part: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: part }
}
