import type { ServiceVersion } from '../../../src/contract/versions.js'
import {
  aConfigure,
  after,
  aRequest,
  ask,
  begin,
  outcome,
  partsOf,
  type Value,
  type Values,
} from '../service/builders.js'
import { aFieldWorld, aGet } from './builders.js'

const path = '/orgs/0123456789ABCDEF/license/validateLicense'
const check = (file: Value | undefined, at = path, world = aFieldWorld()) => {
  const parts = partsOf({ file, listAdministratorUserTypes: 'true', f: 'pjson' })
  return ask(world, {
    ...aRequest({ operation: 'unknown' }, { encoding: 'multipart', parts }),
    path: at,
  })
}
const bytes = (text: string) => new TextEncoder().encode(text)

test.each(['{"any":"thing"}', 'of an older form'])(
  'a license is answered with user types, without a token: %s',
  text => {
    const { body, pretty } = check(bytes(text))
    expect(pretty).toBe(true)
    expect(body).toMatchObject({ MyEsri: { version: '11.2' } })
    const { userTypes } = (body as { MyEsri: { definitions: { userTypes: object[] } } }).MyEsri.definitions
    expect(userTypes).toContainEqual({ id: 'creatorUT', name: 'creatorUT' })
  },
)

test.each([
  ['an empty file', bytes('')],
  ['no file', undefined],
  ['a text instead of the file', '{}'],
])('%s is answered with an error body', (_what, file) => {
  expect(outcome(check(file))).toBe('400 The license is not valid.')
})

test('a site that rejects licenses gives the reason', () => {
  const world = aFieldWorld({ field: { licenseRefusal: 'The license has expired.' } })
  expect(outcome(check(bytes('{}'), path, world))).toBe('400 The license has expired.')
})

test('another organization does not exist', () => {
  expect(check(bytes('{}'), path.replace('0', '1')).httpStatus).toBe(404)
})

const shown = (path: string, values: Values, version: ServiceVersion = '11.2') =>
  ask(after(aFieldWorld({ version }), begin, aConfigure(values)), aGet(path)).body

test.each<[string, Values, ServiceVersion, object]>([
  ['DEBUG', { logSettings: '{"logLevel":"DEBUG"}' }, '11.2', { maxLogAgeDays: 60, logLevel: 'DEBUG' }],
  ['none', {}, '11.2', { maxLogAgeDays: 60, logLevel: 'INFO' }],
  ['an empty one', { logSettings: '{"logLevel": ""}' }, '11.2', { maxLogAgeDays: 60, logLevel: 'INFO' }],
  ['SEVERE, before 11.2', { logSettings: '{"logLevel":"SEVERE"}' }, '11.1', { logLevel: 'SEVERE' }],
])('the log settings of a site with the level %s are reported', (_what, values, version, expected) => {
  expect(shown('/logs/settings', values, version)).toEqual({ ...expected, lastModified: begin })
})

test('the system properties are shown as they were sent, or as an empty object', () => {
  const systemProperties = '{"containerStartUpTimeoutSeconds":1800}'
  expect(shown('/system/properties', { systemProperties })).toEqual({ containerStartUpTimeoutSeconds: 1800 })
  expect(shown('/system/properties', {})).toEqual({})
})

const profile = (body: unknown) =>
  (body as { readonly activeProfile: { readonly profileName: string } }).activeProfile.profileName

test('the profile is shown as it was sent, or the default one', () => {
  const systemArchitectureProfile = '{"name":"development"}'
  const path = '/system/architectureprofiles'
  expect(profile(shown(path, { systemArchitectureProfile }))).toBe('development')
  expect(profile(shown(path, {}))).toBe('standard-availability')
})

test('the profiles of 12.1 are shown as they were sent in an accepted parameter, or the default ones', () => {
  const world = aFieldWorld({ version: '12.1', accept: ['availabilityProfile', 'other'] })
  const values = { availabilityProfile: '{"name":"enhanced"}', other: '{"name":"canary"}' }
  const site = after(world, begin, aConfigure(values))
  expect(profile(ask(site, aGet('/system/availabilityprofiles')).body)).toBe('enhanced')
  expect(profile(ask(site, aGet('/system/performanceprofiles')).body)).toBe('standard')
  expect(JSON.stringify(site.configuration)).not.toContain('canary')
})

test('a provider is shown with its secrets masked, in one spelling', () => {
  const cloudConfig = JSON.stringify([
    {
      name: 'AWS',
      credential: { type: 'ACCESS-KEY', secret: { secret_key: 'canary-1', access_key: 'canary-2' } },
      cloudServices: [
        {
          name: 'AWS S3',
          type: 'objectStore',
          usage: 'DEFAULT',
          category: 'storage',
          connection: { bucket_name: 'objects', region: 'eu-west-1' },
        },
      ],
    },
  ])
  const body = shown('/cloud/providers', { cloudConfig })
  expect(body).toMatchObject({
    cloudProviders: [
      {
        name: 'AWS',
        credential: { type: 'ACCESS-KEY', secret: { secretKey: '********', accessKey: '********' } },
        cloudServices: [{ connection: { bucketName: 'objects', region: 'eu-west-1' } }],
      },
    ],
  })
  expect(JSON.stringify(body)).not.toContain('canary')
  expect(shown('/cloud/providers', {})).toEqual({ cloudProviders: [] })
})

test('a store of the configuration is shown next to that of the system', () => {
  const store = {
    clientPath: '/data',
    type: 'folder',
    info: { fileServerHost: 'fs01', fileServerType: 'NFS', fileServerPath: '/export' },
  }
  expect(shown('/data', { userManagedStores: JSON.stringify([store]) })).toMatchObject({
    items: [
      { systemManaged: true },
      {
        systemManaged: false,
        type: 'folder',
        clientPath: '/data',
        info: { dataStoreConnectionType: 'shared', hostName: 'fs01', path: '/export' },
      },
    ],
  })
})

test.each([
  '/logs/settings',
  '/system/properties',
  '/system/architectureprofiles',
  '/cloud/providers',
  '/data',
])('before a configuration there is nothing at %s', path => {
  expect(outcome(ask(aFieldWorld(), aGet(path)))).toBe('400 The site is not configured.')
})
