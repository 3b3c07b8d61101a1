import type { ServiceVersion } from '../../contract/versions.js'
import { anyMap, anyText, field, record, reference } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { fieldsBelow, requiredBelow } from './contract-fields.js'

/** What a site of one version should be. Service §4.3, §4.4. */
export function specDefinition(version: ServiceVersion): JsonSchema {
  // What people look for first; the rest follows in the order of the contract.
  const { profile, volumes, cloudStorage, dataStores, folders, ...others } = fieldsBelow('/spec', version)
  return field(
    'What the site should be.',
    'Service §4.3, §4.4',
    record(
      {
        site: reference('Site'),
        state: field(
          'Where Landform keeps what it sent to the site: the submission intent, the lock and the record. Every run must find it there, so it belongs into git with the manifest. `{name}` stands for `metadata.name`.',
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
        extra: field(
          'Parameters of `configure` that a newer service accepts and Landform does not know: name and value, sent as they are.',
          'Landform',
          { ...anyMap, 'x-compare': 'texts' },
        ),
      },
      ['site', 'license', 'administrator', ...requiredBelow('/spec')],
    ),
  )
}
