import { variablePattern } from '../envelope.js'
import { describeField, longestSentText } from '../fields.js'
import type { JsonSchema, Snippet } from '../json-schema.js'

const referenceFields: JsonSchema['properties'] & {} = {
  env: describeField('This environment variable contains the value.', 'Landform', {
    type: 'string',
    maxLength: 130,
    pattern: variablePattern,
    patternErrorMessage: 'name an environment variable that begins with LANDFORM_',
    examples: ['LANDFORM_ADMIN_PASSWORD'],
  }),
  file: describeField('This file contains the value; it is below the folder of the manifest.', 'Landform', {
    type: 'string',
    'x-compare': 'path',
    minLength: 1,
    maxLength: 1024,
    examples: ['secrets/password'],
  }),
}

const oneReference = {
  properties: referenceFields,
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
} as const

/** The two kinds of references to a secret: `env` and `file`. */
const secretSnippets: readonly Snippet[] = [
  {
    label: '{ env: … }',
    description: 'The secret is in an environment variable.',
    body: `{ env: LANDFORM_\${1:SECRET} }`,
  },
  {
    label: '{ file: … }',
    description: 'The secret is in a file below the folder of the manifest.',
    body: `{ file: \${1:secrets/secret} }`,
  },
]

/** A secret: always a reference, resolved when a plan is applied. */
export const secretReference: JsonSchema = {
  type: 'object',
  'x-reference': 'secret',
  defaultSnippets: secretSnippets,
  ...oneReference,
}

/** Text or a reference, such as the name of an account. */
export const textOrReference: JsonSchema = {
  type: ['string', 'object'],
  'x-reference': 'text-or-secret',
  defaultSnippets: secretSnippets,
  minLength: 1,
  maxLength: longestSentText,
  ...oneReference,
}

/** Path of a file below the folder of the manifest. */
export const filePath: JsonSchema = {
  type: 'string',
  'x-compare': 'path',
  minLength: 1,
  maxLength: 1024,
}
