import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { buildDocument, count, describe, formatVersion, jsonValue, text } from './parts.js'

const status: JsonSchema = { type: 'integer', minimum: 200, maximum: 599 }

const answer = describe('The structure of the answer. `none`: no complete answer came back.', {
  oneOf: [
    buildRecord(
      {
        kind: { const: 'json' },
        status,
        body: describe(
          'The body in its own structure: each value is replaced by its type and length, such as `<text 12>`, each key that is no name of a field by `<key 12>`. Words of the service document and of the field notes stay.',
          jsonValue,
        ),
      },
      ['kind', 'status', 'body'],
    ),
    buildRecord(
      { kind: { const: 'redirect' }, status, to: { enum: ['sign-in', 'slash', 'elsewhere', 'unclear'] } },
      ['kind', 'status', 'to'],
    ),
    buildRecord({ kind: { enum: ['html', 'text', 'empty', 'compressed'] }, status }, ['kind', 'status']),
    buildRecord({ kind: { const: 'none' } }, ['kind']),
  ],
})

const observation = buildRecord(
  {
    resource: describe('The path below the base URL; `{store}` is the identifier of a data store.', text),
    store: describe('The number of the data store in the list of them.', {
      type: 'integer',
      minimum: 1,
      maximum: 20,
    }),
    signedIn: describe('True if a token went along.', { type: 'boolean' }),
    answer,
    milliseconds: count,
  },
  ['resource', 'signedIn', 'answer', 'milliseconds'],
)

/** How a site answers, without any value of it. */
export const probe = buildDocument(
  'The file of `landform probe`: how a site answers, without any value of it.',
  buildRecord(
    {
      formatVersion,
      tool: describe('The version of Landform.', text),
      probedOn: describe('The day.', { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
      observations: { type: 'array', items: observation },
    },
    ['formatVersion', 'tool', 'probedOn', 'observations'],
  ),
)
