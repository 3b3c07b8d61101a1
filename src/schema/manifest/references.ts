import { variablePattern } from '../envelope.js'
import { describeField, longestSentText } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { secretSnippets } from './snippets.js'

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
