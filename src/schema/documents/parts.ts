import { buildRecord } from '../fields.js'
import { dialect, type JsonSchema } from '../json-schema.js'

export const text: JsonSchema = { type: 'string' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const digest: JsonSchema = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
export const pointer: JsonSchema = { type: 'string', pattern: '^(/|$)' }
export const textOrNull: JsonSchema = { type: ['string', 'null'] }
export const formatVersion: JsonSchema = { const: 1 }
/** The value of a field, of any JSON type. */
export const jsonValue: JsonSchema = {}

const position = buildRecord(
  { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  ['line', 'column'],
)

const range = buildRecord({ start: position, end: position }, ['start', 'end'])

export const diagnostic: JsonSchema = buildRecord(
  {
    code: text,
    severity: { enum: ['error', 'warning', 'note'] },
    message: text,
    help: text,
    fixable: { const: true },
    source: text,
    file: text,
    pointer,
    range,
    related: {
      type: 'array',
      items: buildRecord({ message: text, file: text, range }, ['message', 'file', 'range']),
    },
  },
  ['code', 'severity', 'message', 'pointer'],
)

export const diagnostics: JsonSchema = { type: 'array', items: diagnostic }

/** Adds the description of a member for the published schema and the reference. */
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
