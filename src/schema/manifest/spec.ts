import { reportedLogLevels } from '../../contract/field-notes.js'
import { architectureProfiles, defaultProfile } from '../../contract/profiles.js'
import { choiceOf, field, listOf, longestSentText, record, reference } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { providerSnippets } from './cloud-snippets.js'
import { parameterField } from './shared.js'
import { dataStoreSnippet } from './snippets.js'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: longestSentText }
const profiles = Object.fromEntries(
  Object.entries(architectureProfiles).map(([name, { use, hardware }]) => [name, `${use} ${hardware}`]),
)
const anything: JsonSchema = { type: 'object', additionalProperties: true }

/** What a site should be. Service §4.3, §4.4. */
export const specDefinition: JsonSchema = field(
  'What the site should be.',
  'Service §4.3, §4.4',
  record(
    {
      site: reference('Site'),
      state: field(
        'Where Landform keeps what it sent to the site: the submission intent, the lock and the record. Every run must find it there, so it belongs into git with the manifest. `{name}` stands for `metadata.name`.',
        'Landform',
        {
          ...text,
          examples: ['git:origin', 'file:/var/lib/landform/{name}', 'postgres:env:LANDFORM_DATABASE_URL'],
        },
      ),
      license: reference('License'),
      administrator: reference('Administrator'),
      profile: parameterField('configure', 'systemArchitectureProfile', {
        ...choiceOf(profiles),
        default: defaultProfile,
      }),
      volumes: reference('Volumes'),
      cloudStorage: parameterField('configure', 'cloudConfig', {
        'x-merge-by': ['name'],
        ...listOf('CloudProvider', providerSnippets),
      }),
      dataStores: parameterField('configure', 'userManagedStores', {
        'x-merge-by': ['clientPath'],
        ...listOf('DataStore', [dataStoreSnippet]),
      }),
      folders: parameterField('configure', 'folderPathsToRegister', {
        type: ['string', 'array'],
        'x-compare': 'set',
        minLength: 1,
        items: text,
        examples: [['/data/a', '/data/b']],
      }),
      logLevel: parameterField('configure', 'logSettings', { ...text, examples: reportedLogLevels }),
      systemProperties: parameterField('configure', 'systemProperties', anything),
      upgrade: reference('Upgrade'),
      extra: field(
        'Parameters of `configure` that a newer service accepts and Landform does not know: name and value, sent as they are.',
        'Landform',
        { ...anything, 'x-compare': 'texts' },
      ),
    },
    ['site', 'license', 'administrator', 'volumes'],
  ),
)
