import { buildRecord } from '../fields.js'
import { dialect, type JsonSchema } from '../json-schema.js'

export const text: JsonSchema = { type: 'string' }
export const flag: JsonSchema = { type: 'boolean' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const ordinal: JsonSchema = { type: 'integer', minimum: 1 }
export const ms: JsonSchema = { type: 'number' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const digest: JsonSchema = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
export const pointer: JsonSchema = { type: 'string', pattern: '^(/|$)', 'x-type': ['JsonPointer'] }
export const textOrNull: JsonSchema = { type: ['string', 'null'] }
export const formatVersion: JsonSchema = { const: 1 }
/** The value of a field, of any JSON type. */
export const jsonValue: JsonSchema = { 'x-type': ['JsonValue'] }
export const anyObject: JsonSchema = { type: 'object' }

/** The states of a run, those that need attention first. */
export const runStates = [
  'ambiguous',
  'failed',
  'refused',
  'unfinished',
  'running',
  'queued',
  'waiting',
  'cancelled',
  'done',
] as const

/** The members of a record by their names; a name that ends with `?` is optional. */
export type Members = { readonly [name: string]: JsonSchema }

/** Creates a record with exactly these members. */
export function defineRecord(members: Members): JsonSchema {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema] as const)
  return buildRecord(
    Object.fromEntries(properties),
    Object.keys(members).filter(name => !name.endsWith('?')),
  )
}

/** Adds members to a record. */
export function extendRecord(record: JsonSchema, members: Members): JsonSchema {
  const { properties, required = [] } = defineRecord(members)
  return {
    ...record,
    properties: { ...record.properties, ...properties },
    required: [...(record.required ?? []), ...required],
  }
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function oneOfTexts(...options: readonly string[]): JsonSchema {
  return { enum: options }
}

/** Names the TypeScript type that is generated from a structure, with the meaning of the type. */
export function nameType(name: string, meaning: string, schema: JsonSchema): JsonSchema {
  return { ...schema, 'x-type': [name, meaning] }
}

/** Adds the description of a member for the published schema, the reference and the generated type. */
export function describe(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description }
}

/** Allows null in addition to a value. */
export function allowNull(schema: JsonSchema): JsonSchema {
  return { oneOf: [schema, { type: 'null' }] }
}

/** Creates the schema of a whole document with its description. */
export function buildDocument(description: string, schema: JsonSchema): JsonSchema {
  return { $schema: dialect, description, ...schema }
}

const position = defineRecord({ line: ordinal, column: ordinal })
const range = defineRecord({ start: position, end: position })

export const diagnostic: JsonSchema = defineRecord({
  code: text,
  severity: oneOfTexts('error', 'warning', 'note'),
  message: text,
  'help?': text,
  'fixable?': { const: true },
  'source?': text,
  'file?': text,
  pointer,
  'range?': range,
  'related?': listOf(defineRecord({ message: text, file: text, range })),
})

export const diagnostics: JsonSchema = listOf(diagnostic)
export const texts: JsonSchema = listOf(text)
