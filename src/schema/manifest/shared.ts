import { cloudSpellings } from '../../contract/cloud.js'
import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { type ServiceVersion, splitVersion } from '../../contract/versions.js'
import { volumeFields } from '../../contract/volumes.js'
import {
  buildChoice,
  buildRecord,
  buildReference,
  buildText,
  describeField,
  filePath,
  longestText,
  secretReference,
} from '../fields.js'
import { type JsonSchema, markAsRule } from '../json-schema.js'
import { buildFieldsBelow, listRequiredBelow } from './contract-fields.js'

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
export function buildSharedDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    Metadata: describeField(
      'The manifest has a name, and may have labels and annotations.',
      'Landform',
      buildRecord(
        {
          name: describeField('The site has this name in plans, records and reports.', 'Landform', {
            type: 'string',
            maxLength: 253,
            pattern: '^[a-z0-9]([a-z0-9]|-+[a-z0-9]|[.][a-z0-9])*$',
            patternErrorMessage:
              'consist of lower-case letters, digits, hyphens and dots, such as production',
            examples: ['production'],
          }),
          labels: describeField(
            'The labels are for people and policies; they are not sent to the service.',
            'Landform',
            labels,
          ),
          annotations: describeField(
            'The annotations are for other tools, such as those that apply a folder of a repository; Landform ignores them.',
            'Landform',
            {
              type: 'object',
              additionalProperties: { type: 'string', maxLength: longestText },
              examples: [{ 'config.kubernetes.io/local-config': 'true' }],
            },
          ),
        },
        ['name'],
      ),
    ),
    Site: describeField(
      'This is where the service is, and which version it has.',
      'Landform',
      buildRecord(
        {
          url: describeField(
            'The administrator API of the site is at this base URL.',
            'Service, `{base_url}`',
            {
              type: 'string',
              maxLength: 2048,
              format: 'uri',
              examples: ['https://gis.example.org/arcgis/admin'],
              allOf: [
                markAsRule('site/url', {
                  pattern: siteUrl,
                  patternErrorMessage:
                    'use https (http only on this machine), without a user name, a query or a fragment',
                }),
              ],
            },
          ),
          version: describeField(
            'The service has this version, in quotes; it determines which fields are available.',
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
            'The request spells the `cloudStorage` fields in this way [default: as in the service document; for versions that it does not cover, as reported].',
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
      'These TLS settings are for the site, in addition to the certificates that this machine trusts.',
      'Landform',
      buildRecord(
        {
          caFile: describeField(
            'This file has additional CA certificates, in PEM; it is below the folder of the manifest.',
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
      'This client certificate is for a site that requires one.',
      'Landform',
      buildRecord(
        {
          certificate: describeField(
            'This file has the certificate in PEM, with its intermediate certificates; it is below the folder of the manifest.',
            'Landform',
            { ...filePath, examples: ['certificates/landform.pem'] },
          ),
          privateKey: describeField(
            'This is its key in PEM, without a passphrase.',
            'Landform',
            secretReference,
          ),
        },
        ['certificate', 'privateKey'],
      ),
    ),
    License: describeField(
      'The license files are below the folder of the manifest.',
      'Service §4.3',
      buildRecord(buildFieldsBelow('/spec/license'), listRequiredBelow('/spec/license')),
    ),
    Labels: describeField(volumeFields.labels, 'Service §2.4', labels),
  }
}

/** Accepts every URL that the rule `site/url` accepts, and a few more: a pattern cannot tell whether a host is valid. */
const siteUrl = `^(${anyCase('https')}://[^\\s/?#@\\\\%]+|${anyCase('http')}://(${anyCase('localhost')}|127([.][0-9]{1,3}){3}|\\[::1\\])(:[0-9]+)?)([/][^\\s?#;,\\\\%]*)?$`

/** Builds a pattern that ignores the case of letters, for which JSON Schema has no flag. */
function anyCase(word: string): string {
  return [...word].map(letter => `[${letter.toUpperCase()}${letter}]`).join('')
}

/** The pattern of any version: two or three numbers with dots. */
export const anyVersion = '^(0|[1-9][0-9]{0,4})([.](0|[1-9][0-9]{0,4})){1,2}$'

/** Builds a pattern that matches exactly the versions before `limit`, because schemas cannot compare. */
export function buildPatternBefore(limit: ServiceVersion): string {
  const [major, minor, patch] = splitVersion(limit)
  const rest = '([.][0-9]+)'
  const cases = [
    ...(major > 0 ? [`${buildPatternBelow(major)}${rest}{1,2}`] : []),
    ...(minor > 0 ? [`${major}[.]${buildPatternBelow(minor)}${rest}?`] : []),
    ...(patch > 0 ? [`${major}[.]${minor}([.]${buildPatternBelow(patch)})?`] : []),
  ]
  return `^(${cases.join('|')})$`
}

function buildPatternBelow(limit: number): string {
  return `(${Array.from({ length: limit }, (_, value) => value).join('|')})`
}
