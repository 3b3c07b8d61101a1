import {
  errorFields,
  exportResultFields,
  rootFields,
  stageFields,
  statusFields,
} from '../contract/responses.js'
import { results } from '../contract/states.js'
import { field } from './fields.js'
import { dialect, type JsonSchema } from './json-schema.js'

type Fields<T> = { readonly [K in keyof T]: JsonSchema }

const text: JsonSchema = { type: 'string' }
const milliseconds: JsonSchema = { type: 'integer' }

/**
 * The responses of the service, by name. Unknown fields are allowed. No field of the root resource is required, because
 * its content before the first configuration is not documented. Service §2.
 */
export const responseSchemas = {
  root: answer(
    'The root resource, also the response to `configure`.',
    '2.3',
    rootFields,
    {
      fullVersion: text,
      resources: { type: 'array', items: text },
      currentVersion: { type: 'number' },
      status: object('2.3', statusFields, {
        state: text,
        message: text,
        warnings: { type: 'array' },
        stages: {
          type: 'array',
          items: object('2.3', stageFields, {
            name: text,
            state: text,
            lastUpdated: milliseconds,
            startTime: milliseconds,
          }),
        },
      }),
      info: { type: 'object', properties: { build: text } },
    },
    [],
  ),
  exportResult: answer(
    'The response to `exportSite`.',
    '2.1',
    exportResultFields,
    {
      status: { enum: Object.values(results) },
      location: text,
      messages: { type: 'array', items: text },
    },
    ['status'],
  ),
  done: answer(
    'The response to `update` and `deleteAll`.',
    '4.4',
    { status: '`success`.' },
    {
      status: { const: results.success },
    },
    ['status'],
  ),
  error: answer(
    'The response when the service rejects a request.',
    '2.2',
    { error: 'The error.' },
    {
      error: object('2.2', errorFields, { code: { type: 'integer' }, message: text, details: {} }, [
        'code',
        'message',
      ]),
    },
    ['error'],
  ),
} as const satisfies Record<string, JsonSchema>

export type ResponseName = keyof typeof responseSchemas

function answer<T extends Readonly<Record<string, string>>>(
  ...[meaning, section, meanings, schemas, required]: [string, string, T, Fields<T>, readonly string[]]
): JsonSchema {
  return {
    $schema: dialect,
    ...field(meaning, `Service §${section}`, object(section, meanings, schemas, required)),
  }
}

/** Creates an object whose fields have the descriptions of the contract. */
function object<T extends Readonly<Record<string, string>>>(
  ...[section, meanings, schemas, required = []]: [string, T, Fields<T>, (readonly string[])?]
): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      field(meanings[name] ?? name, `Service §${section}`, schema),
    ]),
  )
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
