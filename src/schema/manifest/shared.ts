import { serverLicenseBefore } from '../../contract/field-notes.js'
import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import type { OperationName } from '../../contract/operation-name.js'
import { type ParameterName, parameterOf } from '../../contract/operations.js'
import { volumeFields } from '../../contract/volumes.js'
import { field, formed, longestSentText, longestText, record, reference } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { anyVersion } from '../version-pattern.js'
import { secretSnippets } from './snippets.js'

/** Environment variables that a manifest may name: so a pull request cannot reach for those of other tools. */
export const variablePattern = '^LANDFORM_[A-Z0-9_]{1,120}$'

/** Maps of text to text: labels of the manifest and of volumes. */
const labels: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'string',
    maxLength: longestText,
    allOf: [formed('kubernetes/label-value', labelValueForm)],
  },
  allOf: [{ propertyNames: formed('kubernetes/label-key', labelKeyForm) }],
}

const referenceFields: JsonSchema['properties'] & {} = {
  env: field('Environment variable that holds the value.', 'Landform', {
    type: 'string',
    maxLength: 130,
    pattern: variablePattern,
    patternErrorMessage: 'name an environment variable that begins with LANDFORM_',
    examples: ['LANDFORM_ADMIN_PASSWORD'],
  }),
  file: field('File that holds the value, below the folder of the manifest.', 'Landform', {
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

/** A secret: only ever a reference, resolved when a plan is applied. */
export const secretReference: JsonSchema = {
  type: 'object',
  'x-reference': 'secret',
  defaultSnippets: secretSnippets,
  ...oneReference,
}

/** Text that may come from where secrets come from, such as the name of an account. */
export const textOrReference: JsonSchema = {
  type: ['string', 'object'],
  'x-reference': 'text-or-secret',
  defaultSnippets: secretSnippets,
  minLength: 1,
  maxLength: longestSentText,
  ...oneReference,
}

/** Path of a file below the folder of the manifest. */
const filePath: JsonSchema = {
  type: 'string',
  'x-compare': 'path',
  minLength: 1,
  maxLength: 1024,
  examples: ['licenses/site.json'],
}

/** A secret that travels as one request parameter. */
export function secretParameter<O extends OperationName>(operation: O, name: ParameterName<O>): JsonSchema {
  return parameterField(operation, name, secretReference)
}

/** Definitions that several parts of a manifest use. */
export const sharedDefinitions: { readonly [name: string]: JsonSchema } = {
  Metadata: field(
    'What the manifest is called.',
    'Landform',
    record(
      {
        name: field('Name of the site in plans, records and reports.', 'Landform', {
          type: 'string',
          maxLength: 253,
          pattern: '^[a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*$',
          patternErrorMessage: 'consist of lower-case letters, digits, hyphens and dots, such as production',
          examples: ['production'],
        }),
        labels: field('Labels for people and policies; the service never sees them.', 'Landform', labels),
      },
      ['name'],
    ),
  ),
  Site: field(
    'Where the service is, and which version it runs.',
    'Landform',
    record(
      {
        url: field('Base URL of the administrator API.', 'Service, `{base_url}`', {
          type: 'string',
          maxLength: 2048,
          format: 'uri',
          examples: ['https://gis.example.org/arcgis/admin'],
        }),
        version: field('Version of the service, in quotes; it decides which fields exist.', 'Service §9', {
          type: 'string',
          maxLength: 17,
          pattern: anyVersion,
          patternErrorMessage: 'be a version such as "11.2"',
          examples: ['11.2', '10.9.1'],
        }),
        token: secretParameter('update', 'token'),
        signIn: reference('SignIn'),
        tls: reference('Tls'),
      },
      ['url', 'version'],
    ),
  ),
  Tls: field(
    'How TLS with the site is verified, beside what this machine trusts.',
    'Landform',
    record(
      {
        caFile: field(
          'Certificates of authorities, in PEM, that are trusted too; below the folder of the manifest.',
          'Landform',
          { ...filePath, examples: ['certificates/authority.pem'] },
        ),
        client: reference('ClientCertificate'),
      },
      [],
    ),
  ),
  ClientCertificate: field(
    'What a site is shown that asks who is calling.',
    'Landform',
    record(
      {
        certificate: field(
          'Certificate in PEM, with those between it and its authority; below the folder of the manifest.',
          'Landform',
          { ...filePath, examples: ['certificates/landform.pem'] },
        ),
        privateKey: field('Its key in PEM, without a passphrase.', 'Landform', secretReference),
      },
      ['certificate', 'privateKey'],
    ),
  ),
  License: field(
    'License files, below the folder of the manifest.',
    'Service §4.3',
    record(
      {
        file: parameterField('configure', 'licenseFile', filePath),
        serverFile: field(
          `Server license file; needed by service versions before ${serverLicenseBefore}.`,
          'Service §4.3, which shows no name for the parameter',
          { ...filePath, examples: ['licenses/server.ecp'] },
        ),
      },
      ['file'],
    ),
  ),
  Labels: field(volumeFields.labels, 'Service §2.4', labels),
}

/** A field that is one request parameter: described by the contract. */
export function parameterField<O extends OperationName>(
  operation: O,
  name: ParameterName<O>,
  schema: JsonSchema,
): JsonSchema {
  const { meaning, section, since } = parameterOf(operation, name)
  return field(
    meaning,
    `Service §${section}, parameter \`${name}\` of \`${operation}\`, since ${since}`,
    schema,
  )
}
