import { cloudSpellings } from '../../contract/cloud.js'
import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { volumeFields } from '../../contract/volumes.js'
import { choiceOf, field, formed, longestText, record, reference } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { anyVersion } from '../version-pattern.js'
import { fieldsBelow, requiredBelow } from './contract-fields.js'
import { filePath, secretReference } from './references.js'

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
        cloudSpelling: field(
          'How the request spells the fields of `cloudStorage`. Left out, it is as the service document has them; for versions that it does not cover, as reported.',
          'Landform',
          choiceOf(cloudSpellings),
        ),
        ...fieldsBelow('/spec/site'),
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
    record(fieldsBelow('/spec/license'), requiredBelow('/spec/license')),
  ),
  Labels: field(volumeFields.labels, 'Service §2.4', labels),
}
