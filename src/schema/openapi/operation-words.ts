import type { OperationName } from '../../contract/operation-name.js'
import type { JsonObject } from '../json-schema.js'

interface Words {
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly notShown: string
}

const tags = {
  configuration: 'The first operation after an installation, and how far it has come.',
  upgrades: 'Where the pods of upgrades and updates run.',
  export: 'The configuration of the site, written to a file.',
  webhooks: 'The webhooks of one service.',
} as const

type Tag = keyof typeof tags

/** What people read of each operation, and what the document leaves open of it. Service §1, §4, §5. */
export const words: Readonly<Record<OperationName, Words>> = {
  root: {
    tag: 'configuration',
    summary: 'Read how far the configuration has come',
    description:
      'The root resource stands at the base URL itself; the slash is only the form of a path here.',
    notShown: 'the method; whether a token is needed',
  },
  configure: {
    tag: 'configuration',
    summary: 'Create the organization',
    description:
      'Downloads the container images, deploys the containers and creates an organization. The answer comes at once; the work takes long, and the root resource tells how far it is.',
    notShown: 'which roles may ask; whether a token is needed',
  },
  update: {
    tag: 'upgrades',
    summary: 'Set the placement policy of upgrades',
    description: 'The policy is used whenever an upgrade job is created from then on.',
    notShown: 'which roles may ask',
  },
  exportSite: {
    tag: 'export',
    summary: 'Export the site, or check where to',
    description: [
      'Writes the content directory and a snapshot of the portal database. Only the default administrator role may ask. There are three variants, by what is sent beside `location`:',
      '- folder: nothing more',
      '- bucket: `backupObjectStore` is its name, with `backupObjectStoreRegion`',
      '- container: `backupObjectStore` is its URL, with `backupObjectStoreConnectionStr`',
    ].join('\n'),
    notShown: 'how the role is proved',
  },
  deleteAll: {
    tag: 'webhooks',
    summary: 'Delete all webhooks of a service',
    description:
      'Deletes them for good. Another operation, which is not described here, only deactivates them.',
    notShown: 'which roles may ask',
  },
}

/** What some operations are about, as the tags that they carry. */
export function tagsOf(names: readonly OperationName[]): readonly JsonObject[] {
  const used = new Set(names.map(name => words[name].tag))
  return [...used].map(name => ({ name, description: tags[name] }))
}
