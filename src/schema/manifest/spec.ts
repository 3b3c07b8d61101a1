import { reportedProfiles } from '../../contract/profiles.js'
import type { ServiceVersion } from '../../contract/versions.js'
import { anyMap, anyText, choiceOf, field, record, reference } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { fieldsBelow, requiredBelow } from './contract-fields.js'

/** Builds the schema of `spec` for one version. Service §4.3, §4.4. */
export function specDefinition(version: ServiceVersion): JsonSchema {
  // The most important fields first; the rest follows in the order of the contract.
  const { profile, volumes, cloudStorage, dataStores, folders, ...others } = fieldsBelow('/spec', version)
  return field(
    'What the site should be.',
    'Service §4.3, §4.4',
    record(
      {
        site: reference('Site'),
        state: field(
          'Location of the state of the site: the submission intent, the lock and the record. Every run must use the same location, so it belongs in git with the manifest. `{name}` is replaced by `metadata.name`.',
          'Landform',
          {
            ...anyText,
            examples: ['git:origin', 'file:/var/lib/landform/{name}', 'postgres:env:LANDFORM_DATABASE_URL'],
          },
        ),
        license: reference('License'),
        administrator: reference('Administrator'),
        profile,
        volumes,
        cloudStorage,
        dataStores,
        folders,
        ...others,
        deploymentProfiles: field(
          'The two profiles that replace `profile` since 12.1.',
          reportedProfiles.source,
          record(Object.fromEntries(Object.entries(reportedProfiles.names).map(namedProfile)), []),
        ),
        extra: field(
          'Parameters of `configure` that a newer service accepts and Landform does not know: name and value, sent unchanged.',
          'Landform',
          { ...anyMap, 'x-compare': 'texts' },
        ),
      },
      ['site', 'license', 'administrator', ...requiredBelow('/spec')],
    ),
  )
}

type Profiles = (typeof reportedProfiles)['names']

function namedProfile([name, { meaning, options }]: [string, Profiles[keyof Profiles]]): [
  string,
  JsonSchema,
] {
  const { source } = reportedProfiles
  const parameter =
    'Name of the request parameter, as the `configure` page of the site shows it; no public source names it.'
  const fields = {
    name: field(meaning, source, { 'x-open': 'text', ...choiceOf(options) }),
    parameter: field(parameter, 'Landform', {
      type: 'string',
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      patternErrorMessage: 'be a name of letters and digits',
      examples: [`${name}Profile`],
    }),
  }
  return [name, field(meaning, source, record(fields, ['name', 'parameter']))]
}
