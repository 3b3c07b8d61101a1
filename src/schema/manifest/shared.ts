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
    'Name and labels of the manifest.',
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
        labels: field(
          'Labels for people and policies; they are not sent to the service.',
          'Landform',
          labels,
        ),
      },
      ['name'],
    ),
  ),
  Site: field(
    'URL and version of the service.',
    'Landform',
    record(
      {
        url: field('Base URL of the administrator API.', 'Service, `{base_url}`', {
          type: 'string',
          maxLength: 2048,
          format: 'uri',
          examples: ['https://gis.example.org/arcgis/admin'],
        }),
        version: field(
          'Service version, in quotes; it determines which fields are available.',
          'Service §9',
          {
            type: 'string',
            maxLength: 17,
            pattern: anyVersion,
            patternErrorMessage: 'be a version such as "11.2"',
            examples: ['11.2', '10.9.1'],
          },
        ),
        cloudSpelling: field(
          'Spelling of the `cloudStorage` fields in the request [default: as in the service document; for versions that it does not cover, as reported].',
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
    'TLS settings for the site, in addition to the certificates that this machine trusts.',
    'Landform',
    record(
      {
        caFile: field('Additional CA certificates, in PEM; below the folder of the manifest.', 'Landform', {
          ...filePath,
          examples: ['certificates/authority.pem'],
        }),
        client: reference('ClientCertificate'),
      },
      [],
    ),
  ),
  ClientCertificate: field(
    'Client certificate for a site that requires one.',
    'Landform',
    record(
      {
        certificate: field(
          'Certificate in PEM, with its intermediate certificates; below the folder of the manifest.',
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
