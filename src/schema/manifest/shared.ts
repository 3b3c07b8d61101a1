import { cloudSpellings } from '../../contract/cloud.js'
import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { volumeFields } from '../../contract/volumes.js'
import { buildChoice, buildRecord, buildReference, buildText, describeField, longestText } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { anyVersion } from '../version-pattern.js'
import { buildFieldsBelow, listRequiredBelow } from './contract-fields.js'
import { filePath, secretReference } from './references.js'

/** Maps of text to text: labels of the manifest and of volumes. */
const labels: JsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'string',
    maxLength: longestText,
    allOf: [buildText('kubernetes/label-value', labelValueForm)],
  },
  allOf: [{ propertyNames: buildText('kubernetes/label-key', labelKeyForm) }],
}

/** Definitions that several parts of a manifest use. */
export const sharedDefinitions: { readonly [name: string]: JsonSchema } = {
  Metadata: describeField(
    'Name and labels of the manifest.',
    'Landform',
    buildRecord(
      {
        name: describeField('Name of the site in plans, records and reports.', 'Landform', {
          type: 'string',
          maxLength: 253,
          pattern: '^[a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*$',
          patternErrorMessage: 'consist of lower-case letters, digits, hyphens and dots, such as production',
          examples: ['production'],
        }),
        labels: describeField(
          'Labels for people and policies; they are not sent to the service.',
          'Landform',
          labels,
        ),
      },
      ['name'],
    ),
  ),
  Site: describeField(
    'URL and version of the service.',
    'Landform',
    buildRecord(
      {
        url: describeField('Base URL of the administrator API.', 'Service, `{base_url}`', {
          type: 'string',
          maxLength: 2048,
          format: 'uri',
          examples: ['https://gis.example.org/arcgis/admin'],
        }),
        version: describeField(
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
        cloudSpelling: describeField(
          'Spelling of the `cloudStorage` fields in the request [default: as in the service document; for versions that it does not cover, as reported].',
          'Landform',
          buildChoice(cloudSpellings),
        ),
        ...buildFieldsBelow('/spec/site'),
        signIn: buildReference('SignIn'),
        tls: buildReference('Tls'),
      },
      ['url', 'version'],
    ),
  ),
  Tls: describeField(
    'TLS settings for the site, in addition to the certificates that this machine trusts.',
    'Landform',
    buildRecord(
      {
        caFile: describeField(
          'Additional CA certificates, in PEM; below the folder of the manifest.',
          'Landform',
          {
            ...filePath,
            examples: ['certificates/authority.pem'],
          },
        ),
        client: buildReference('ClientCertificate'),
      },
      [],
    ),
  ),
  ClientCertificate: describeField(
    'Client certificate for a site that requires one.',
    'Landform',
    buildRecord(
      {
        certificate: describeField(
          'Certificate in PEM, with its intermediate certificates; below the folder of the manifest.',
          'Landform',
          { ...filePath, examples: ['certificates/landform.pem'] },
        ),
        privateKey: describeField('Its key in PEM, without a passphrase.', 'Landform', secretReference),
      },
      ['certificate', 'privateKey'],
    ),
  ),
  License: describeField(
    'License files, below the folder of the manifest.',
    'Service §4.3',
    buildRecord(buildFieldsBelow('/spec/license'), listRequiredBelow('/spec/license')),
  ),
  Labels: describeField(volumeFields.labels, 'Service §2.4', labels),
}
