import type { Ask, Given, Values } from './ask.js'
import { longMs } from './ask.js'

export const license = new File(['{"license":1}'], 'license.json')

export const components = [
  'RELATIONAL_PRIMARY',
  'RELATIONAL_SECONDARY',
  'BLOB',
  'IN_MEM_CACHE',
  'QUEUE',
  'INDEXER',
  'SHARING',
  'REST_METRICS_API',
] as const

export type Fields = Readonly<Record<string, unknown>>

export function volume(component: string, changes: Fields = {}): Fields {
  return {
    provisioningType: 'DYNAMIC',
    component,
    size: '16Gi',
    storageClass: 'gp3',
    labels: { 'arcgis/tier': 'storage', 'arcgis/app': 'store' },
    ...changes,
  }
}

/** The value of `volumesConfig`, with changed fields in the entry of the first component. */
export function volumes(changes: Fields = {}): string {
  const [first, ...rest] = components
  return wrapped([volume(first, changes), ...rest.map(component => volume(component))])
}

export function wrapped(entries: unknown): string {
  return JSON.stringify({ volumesConfig: entries })
}

/** A first configuration with exactly the required parameters; each value can be changed or omitted. */
export function configure(changes: Values = {}): Ask {
  return {
    path: '/configure',
    multipart: {
      username: 'siteadmin',
      password: 'correct-horse-1',
      email: 'admin@example.org',
      fullName: 'Site Administrator',
      securityQuestionIdx: '13',
      securityQuestionAns: 'Cartographer',
      userLicenseTypeId: 'creatorUT',
      licenseFile: license,
      volumesConfig: volumes(),
      ...changes,
    },
    changed: Object.keys(changes),
  }
}

export function exportSite(changes: Values = {}): Ask {
  return {
    path: '/exportSite',
    form: { location: '/backups', ...changes },
    changed: Object.keys(changes),
  }
}

export const bucket: Values = { backupObjectStore: 'gis-backups', backupObjectStoreRegion: 'eu-west-1' }

export const connection = {
  accountName: 'backups1',
  accountKey: 'a2V5',
  accountEndpoint: 'core.example.org',
}

export const container: Values = {
  backupObjectStore: 'https://backups1.blob.example.org/gis',
  backupObjectStoreConnectionStr: JSON.stringify(connection),
}

export const variants: readonly (readonly [string, Values])[] = [
  ['a folder', {}],
  ['a bucket', bucket],
  ['a container', container],
]

export function deleteAll(changes: Values = {}, service = 'Roads.GPServer'): Ask {
  return {
    path: `/services/${service}/webhooks/deleteAll`,
    form: { token: 'a-token', ...changes },
    changed: Object.keys(changes),
  }
}

export function upgradeConfig(nodeAffinity: unknown = {}, tolerations: unknown = []): string {
  return JSON.stringify({ podPlacementPolicy: { nodeAffinity, tolerations } })
}

export function update(changes: Values = {}): Ask {
  return {
    path: '/system/upgrades/config/update',
    form: { upgradeConfig: upgradeConfig(), token: 'a-token', ...changes },
    changed: Object.keys(changes),
  }
}

export const lookAtRoot: Ask = { path: '', method: 'GET' }

/** A site whose configuration is complete. */
export const ready: Given = { before: [configure()], passedMs: longMs }

/** Every POST operation, with an accepted request and the state of the site for it. */
export const operations: readonly (readonly [string, (changes?: Values) => Ask, Given])[] = [
  ['exportSite', exportSite, {}],
  ['deleteAll', deleteAll, {}],
  ['configure', configure, {}],
  ['update', update, ready],
]
