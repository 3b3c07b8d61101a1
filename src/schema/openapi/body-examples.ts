import type { OperationName } from '../../contract/operation-name.js'
import type { ParameterName } from '../../contract/operations.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { JsonObject, JsonValue } from '../json-schema.js'
import { configureExample } from './configure-example.js'
import { listParameters } from './parameters.js'

/** The example of a folder that the service can write to. */
export const locationExample = '/backups/site'

type Examples<O extends OperationName> = Readonly<
  Record<
    string,
    { readonly summary: string; readonly values: Readonly<Partial<Record<ParameterName<O>, JsonValue>>> }
  >
>

const token = 'not-a-real-token'
const f = 'json'

const policy: JsonObject = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['upgrades'] }] }],
    },
  },
  tolerations: [{ effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'upgrades' }],
}

const examples: { readonly [O in OperationName]: Examples<O> } = {
  root: {},
  configure: {
    full: {
      summary: 'Every parameter',
      values: { ...configureExample, f },
    },
  },
  update: {
    policy: {
      summary: 'Nodes that must match, and a taint that is tolerated',
      values: { upgradeConfig: JSON.stringify({ podPlacementPolicy: policy }), f, token },
    },
    none: {
      summary: 'No demands',
      values: {
        upgradeConfig: JSON.stringify({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } }),
        f,
        token,
      },
    },
  },
  exportSite: {
    folder: { summary: 'Into a folder', values: { location: locationExample, f } },
    bucket: {
      summary: 'Into a bucket',
      values: {
        location: locationExample,
        backupObjectStore: 'gis-backups',
        backupObjectStoreRegion: 'eu-west-1',
        f,
      },
    },
    container: {
      summary: 'Into a blob container',
      values: {
        location: locationExample,
        backupObjectStore: 'https://backups.example.org/gis',
        backupObjectStoreConnectionStr: JSON.stringify({
          accountName: 'backups',
          accountKey: 'not-a-real-key',
          accountEndpoint: 'https://backups.example.org',
        }),
        f,
      },
    },
    check: { summary: 'Validation only', values: { location: locationExample, validate: 'true', f } },
  },
  deleteAll: { all: { summary: 'The webhooks of one service', values: { f, token } } },
}

/** Creates complete bodies of one operation, without those that differ only in fields that the version does not have. */
export function buildBodyExamples(operation: OperationName, version: ServiceVersion): JsonObject {
  const known = listParameters(operation, version).map(({ name }) => name)
  const seen = new Set<string>()
  return Object.fromEntries(
    Object.entries(examples[operation]).flatMap(([name, { summary, values }]) => {
      const value = Object.fromEntries(Object.entries(values).filter(([field]) => known.includes(field)))
      const text = JSON.stringify(value)
      if (seen.has(text)) return []
      seen.add(text)
      return [[name, { summary, value }] as const]
    }),
  )
}
