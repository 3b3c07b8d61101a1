import { findIntroduction, type ServiceVersion } from './versions.js'

/** A resource of a site that Landform reads with GET, and the part of the response that it uses. */
export interface Reading {
  /** The path below the base URL; `{store}` is the identifier of a data store. */
  readonly path: string
  /** A query parameter in addition to `f`. */
  readonly query?: string
  readonly since: ServiceVersion
  /** The version that replaced it. */
  readonly until?: ServiceVersion
  /** The response as its page prints it, with other values; null if no page shows it. */
  readonly printed: object | null
  /** The members that lead to the value; empty for the whole response. */
  readonly value: readonly string[]
  /** The field of a manifest that is compared with the value. */
  readonly field?: `/spec/${string}`
  readonly source: string
}

const reference = 'administrator API reference'
const profileValue = ['activeProfile', 'profileName'] as const
const first = findIntroduction('configure')
const profilesAre = (names: readonly string[]) => ({
  activeProfile: { profileName: names[0], lastApplied: 1_618_441_452_676 },
  supportedOperations: [],
  profiles: names,
})

/** The settings of a site that a manifest is compared with. */
export const settingReadings = {
  upgradeConfig: {
    path: '/system/upgrades/config',
    since: findIntroduction('update'),
    printed: { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } },
    value: [],
    field: '/spec/upgrade',
    source: `${reference}, bare and not inside \`upgradeConfig\`; more members from 12.0 on`,
  },
  profile: {
    path: '/system/architectureprofiles',
    since: first,
    until: '12.1',
    printed: profilesAre(['standard-availability', 'development', 'enhanced-availability']),
    value: profileValue,
    field: '/spec/profile',
    source: reference,
  },
  availability: {
    path: '/system/availabilityprofiles',
    since: '12.1',
    printed: profilesAre(['standard', 'development', 'enhanced']),
    value: profileValue,
    field: '/spec/deploymentProfiles/availability/name',
    source: `${reference} for path and names; the shape is assumed, that of the profile it replaces`,
  },
  performance: {
    path: '/system/performanceprofiles',
    since: '12.1',
    printed: profilesAre(['standard', 'enhanced']),
    value: profileValue,
    field: '/spec/deploymentProfiles/performance/name',
    source: `${reference} for path and names; the shape is assumed, that of the profile it replaces`,
  },
  logLevel: {
    path: '/logs/settings',
    since: first,
    printed: { maxLogAgeDays: 60, logLevel: 'INFO', lastModified: 1_618_441_452_676 },
    value: ['logLevel'],
    field: '/spec/logLevel',
    source: `${reference}; more members from 11.5 on`,
  },
  systemProperties: {
    path: '/system/properties',
    since: first,
    printed: {},
    value: [],
    field: '/spec/systemProperties',
    source: `${reference}, which shows names and values in a map`,
  },
  cloudStorage: {
    path: '/cloud/providers',
    // Without it, a site may return the secrets themselves.
    query: 'maskedSecret=true',
    since: findIntroduction('cloudConfig'),
    printed: {
      cloudProviders: [
        {
          cloudServices: [
            {
              providerId: 'provider01',
              usage: 'DEFAULT',
              name: 'AWS S3',
              connection: { bucketName: 'gis-objects', rootDir: 'prod', region: 'eu-west-1' },
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
    value: ['cloudProviders'],
    field: '/spec/cloudStorage',
    source: `${reference}; secrets are never taken, masked or not`,
  },
} as const satisfies Readonly<Record<string, Reading>>

export type SettingName = keyof typeof settingReadings
export const settingNames = Object.keys(settingReadings) as readonly SettingName[]

/** The other resources that are read. */
export const otherReadings = {
  root: {
    path: '',
    since: first,
    printed: {
      fullVersion: '11.5.0',
      currentVersion: 11.5,
      resources: ['orgs', 'logs', 'system'],
      status: { state: 'ready', message: 'The organization was created.', warnings: [], stages: [] },
      info: { build: '7000' },
    },
    value: [],
    source: 'Service §2.3',
  },
  upgrades: {
    path: '/system/upgrades',
    since: first,
    // The state of a site that was never upgraded.
    printed: { status: { code: 0, messages: [], state: 'no_upgrade' } },
    value: ['status', 'state'],
    source: reference,
  },
  dataStores: {
    path: '/data',
    since: first,
    printed: {
      items: [
        {
          systemManaged: true,
          type: 'memCacheStore',
          path: '/memCacheStore/41c0',
          provider: 'ArcGIS Data Store',
          purposes: ['key-value-cache'],
          id: '41c0',
          name: 'memory',
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
    value: [],
    source: `${reference}; the stores are those in any list of the answer. \`adopt\` writes a store in the structure of Service §2.6, and counts the others`,
  },
  volumes: {
    path: '/data/{store}/config/volumes',
    since: '11.3',
    printed: null,
    value: [],
    source: `${reference} for the path; \`adopt\` believes the structure of Service §2.4 alone`,
  },
  placementPolicy: {
    path: '/data/{store}/config/placementPolicy',
    since: '12.0',
    printed: null,
    value: [],
    source: `${reference} for the path; only whether it answers is reported`,
  },
} as const satisfies Readonly<Record<string, Reading>>

/** Every reading of a site. */
export const readings: Readonly<Record<string, Reading>> = { ...otherReadings, ...settingReadings }

/** The resources of each data store. */
export const storeReadings: readonly Reading[] = [otherReadings.volumes, otherReadings.placementPolicy]
