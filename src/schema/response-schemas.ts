import {
  errorFields,
  exportResultFields,
  results,
  rootFields,
  stageFields,
  statusFields,
} from '../contract/responses.js'
import { describeField } from './fields.js'
import { dialect, type JsonSchema } from './json-schema.js'

type ResponseFields<T> = { readonly [K in keyof T]: JsonSchema }

const text: JsonSchema = { type: 'string' }
const milliseconds: JsonSchema = { type: 'integer' }

/**
 * The responses of the service, by name. Unknown fields are allowed. No field of the root resource is required, because
 * its content before the first configuration is not documented. Service §2.
 */
export const responseSchemas = {
  root: buildResponse(
    'The root resource, also the response to `configure`.',
    '2.3',
    rootFields,
    {
      fullVersion: text,
      resources: { type: 'array', items: text },
      currentVersion: { type: 'number' },
      status: buildObject('2.3', statusFields, {
        state: text,
        message: text,
        warnings: { type: 'array' },
        stages: {
          type: 'array',
          items: buildObject('2.3', stageFields, {
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
  exportResult: buildResponse(
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
  done: buildResponse(
    'The response to `update` and `deleteAll`.',
    '4.4',
    { status: '`success`.' },
    {
      status: { const: results.success },
    },
    ['status'],
  ),
  error: buildResponse(
    'The response when the service rejects a request.',
    '2.2',
    { error: 'The error.' },
    {
      error: buildObject('2.2', errorFields, { code: { type: 'integer' }, message: text, details: {} }, [
        'code',
        'message',
      ]),
    },
    ['error'],
  ),
} as const satisfies Record<string, JsonSchema>

export type ResponseName = keyof typeof responseSchemas

function buildResponse<T extends Readonly<Record<string, string>>>(
  ...[meaning, section, meanings, schemas, required]: [
    string,
    string,
    T,
    ResponseFields<T>,
    readonly string[],
  ]
): JsonSchema {
  return {
    $schema: dialect,
    ...describeField(meaning, `Service §${section}`, buildObject(section, meanings, schemas, required)),
  }
}

/** Creates an object whose fields have the descriptions of the contract. */
function buildObject<T extends Readonly<Record<string, string>>>(
  ...[section, meanings, schemas, required = []]: [string, T, ResponseFields<T>, (readonly string[])?]
): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      describeField(meanings[name] ?? name, `Service §${section}`, schema),
    ]),
  )
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
