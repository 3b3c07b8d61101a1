import type { OperationName } from '../../contract/operation-name.js'
import type { JsonObject } from '../json-schema.js'

interface OperationText {
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly notShown: string
}

const tags = {
  configuration: 'The first operation after an installation, and its progress.',
  upgrades: 'The placement of upgrade and update pods.',
  export: 'The configuration of the site, written to a file.',
  webhooks: 'The webhooks of one service.',
} as const

type Tag = keyof typeof tags

/** The descriptions of each operation, and the facts that the document does not show. Service §1, §4, §5. */
export const words: Readonly<Record<OperationName, OperationText>> = {
  root: {
    tag: 'configuration',
    summary: 'Read the progress of the configuration',
    description:
      'The root resource is the base URL itself; the slash is only required by the OpenAPI format.',
    notShown: 'the method; whether a token is required',
  },
  configure: {
    tag: 'configuration',
    summary: 'Create the organization',
    description:
      'Downloads the container images, deploys the containers and creates an organization. The response is immediate; the work takes a long time, and the root resource reports its progress.',
    notShown: 'the permitted roles; whether a token is required',
  },
  update: {
    tag: 'upgrades',
    summary: 'Set the placement policy of upgrades',
    description: 'The policy applies to upgrade jobs that are created afterwards.',
    notShown: 'which roles may ask',
  },
  exportSite: {
    tag: 'export',
    summary: 'Export the site, or validate the location',
    description: [
      'Writes the content directory and a snapshot of the portal database. Only the default administrator role is permitted. There are three variants, by the parameters sent with `location`:',
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
      'Deletes them permanently. Another operation, which is not described here, only deactivates them.',
    notShown: 'which roles may ask',
  },
}

/** Lists the tags of operations. */
export function listTags(names: readonly OperationName[]): readonly JsonObject[] {
  const used = new Set(names.map(name => words[name].tag))
  return [...used].map(name => ({ name, description: tags[name] }))
}
