import { http, httpDouble } from './http-double.js'

/** The responses of a configured site, as printed in the public reference of the administrator API, with made-up values. */
export const printedAnswers = {
  '': {
    fullVersion: '11.5.0',
    currentVersion: 11.5,
    resources: ['orgs', 'logs', 'system'],
    status: { state: 'ready', message: 'ok', warnings: [], stages: [] },
    info: { build: '7000' },
  },
  '/system/architectureprofiles': {
    activeProfile: { profileName: 'standard-availability', lastApplied: 1_618_441_452_676 },
    supportedOperations: [],
    profiles: ['development', 'standard-availability', 'enhanced-availability'],
  },
  '/system/upgrades': { status: { code: 0, messages: [], state: 'no_upgrade' } },
  '/system/upgrades/config': { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } },
  '/logs/settings': { maxLogAgeDays: 60, logLevel: 'INFO', lastModified: 1_618_441_452_676 },
  '/system/properties': {},
  '/cloud/providers': {
    cloudProviders: [
      {
        cloudServices: [
          {
            providerId: 'provider01',
            usage: 'DEFAULT',
            name: 'AWS S3',
            connection: { bucketName: 'gis-objects-a', rootDir: 'prod', region: 'us-east-2' },
            id: 'service01',
            type: 'objectStore',
            category: 'storage',
          },
        ],
        credential: { type: 'IAM-ROLE' },
        name: 'AWS',
        id: 'provider01',
      },
    ],
  },
  '/data': {
    items: [
      {
        systemManaged: true,
        type: 'memCacheStore',
        path: '/memCacheStore/41c0',
        provider: 'ArcGIS Data Store',
        purposes: ['key-value-cache'],
        id: '41c0',
        name: 'm',
      },
      {
        systemManaged: false,
        type: 'folder',
        path: '/fileShares/imagery',
        provider: '',
        clientPath: null,
        info: { dataStoreConnectionType: 'shared', hostName: 'fs01', path: '\\\\fs01\\imagery' },
        id: 'ab12',
        name: 'imagery',
      },
    ],
  },
} as const

const notFound = { error: { code: 404, message: 'Not found', details: [] } }

/** Starts a site with these responses. `changes` replaces some; null removes one. */
export async function startPrintedSite(changes: Readonly<Record<string, object | null>> = {}) {
  const answers: Readonly<Record<string, object | null>> = { ...printedAnswers, ...changes }
  const base = '/arcgis/admin'
  const site = await httpDouble([
    {
      reply({ path }) {
        const answer = answers[path.split('?')[0]?.replace(base, '') ?? ''] ?? undefined
        const headers = 'content-type: application/json\r\n'
        return http(answer === undefined ? 404 : 200, JSON.stringify(answer ?? notFound), headers)
      },
    },
  ])
  return {
    url: `http://${site.host}${base}`,
    received: () => site.requests.map(({ method, path }) => `${method} ${path.replace(base, '')}`),
  }
}
