import { reportedProfiles } from '../../contract/profiles.js'
import type { ServiceVersion } from '../../contract/versions.js'
import { anyMap, anyText, buildChoice, buildRecord, buildReference, describeField } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { buildFieldsBelow, listRequiredBelow } from './contract-fields.js'

/** Builds the schema of `spec` for one version. Service §4.3, §4.4. */
export function buildSpecDefinition(version: ServiceVersion): JsonSchema {
  // The most important fields first; the rest follows in the order of the contract.
  const { profile, volumes, cloudStorage, dataStores, folders, ...others } = buildFieldsBelow(
    '/spec',
    version,
  )
  return describeField(
    'This is what the site should be.',
    'Service §4.3, §4.4',
    buildRecord(
      {
        site: buildReference('Site'),
        state: describeField(
          'The state of the site is kept here: the submission intent, the lock and the record. Every run must use the same location, so it belongs in git with the manifest. `{name}` is replaced by `metadata.name`.',
          'Landform',
          {
            ...anyText,
            examples: [
              'git:origin',
              'file:/var/lib/landform/{name}',
              's3:my-bucket/{name}?region=eu-central-1',
              'kubernetes:gis-state',
              'postgres:env:LANDFORM_DATABASE_URL',
            ],
          },
        ),
        license: buildReference('License'),
        administrator: buildReference('Administrator'),
        profile,
        volumes,
        cloudStorage,
        dataStores,
        folders,
        ...others,
        deploymentProfiles: describeField(
          'These two profiles replace `profile` since 12.1.',
          reportedProfiles.source,
          buildRecord(Object.fromEntries(Object.entries(reportedProfiles.names).map(buildNamedProfile)), []),
        ),
        extra: describeField(
          'A newer service accepts these parameters of `configure`, which Landform does not know; name and value are sent unchanged.',
          'Landform',
          { ...anyMap, 'x-compare': 'texts' },
        ),
      },
      ['site', 'license', 'administrator', ...listRequiredBelow('/spec')],
    ),
  )
}

type Profiles = (typeof reportedProfiles)['names']

function buildNamedProfile([name, { meaning, options }]: [string, Profiles[keyof Profiles]]): [
  string,
  JsonSchema,
] {
  const { source } = reportedProfiles
  const parameter =
    'The request parameter has this name, as the `configure` page of the site shows it; no public source names it.'
  const fields = {
    name: describeField(meaning, source, { 'x-open': 'text', ...buildChoice(options) }),
    parameter: describeField(parameter, 'Landform', {
      type: 'string',
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      patternErrorMessage: 'be a name of letters and digits',
      examples: [`${name}Profile`],
    }),
  }
  return [name, describeField(meaning, source, buildRecord(fields, ['name', 'parameter']))]
}
