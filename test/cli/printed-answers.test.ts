import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { fakeHost } from '../support/fake-host.js'
import { withoutCacheBuster } from '../support/http-double.js'
import { aSmallManifest } from '../support/manifest-value.js'
import { printedAnswers, startPrintedSite } from '../support/printed-site.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const environment = {
  ...someSecrets,
  LANDFORM_ACCESS_KEY: 'the-access-key',
  LANDFORM_SECRET_KEY: 'the-secret-key',
}

async function aSite(changes: Readonly<Record<string, object | null>> = {}) {
  const site = await startPrintedSite(changes)
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'licenses'))
  writeFileSync(join(folder, 'licenses', 'site.json'), '{}')
  const at = (name: string) => join(folder, name)
  return {
    ...site,
    at,
    read: (name: string) => readFileSync(at(name), 'utf8'),
    write(name: string, fields: Readonly<Record<string, JsonValue>>, version = '11.5') {
      const { spec } = aSmallManifest(version) as { readonly spec: JsonObject }
      const manifest = {
        ...aSmallManifest(version),
        spec: { ...spec, site: { url: site.url, version }, state: 'file:state', ...fields },
      }
      writeFileSync(at(name), JSON.stringify(manifest))
    },
    async landform(...words: readonly string[]) {
      const host = fakeHost({ environment })
      const exitCode = await run(
        words.map(word => (/\.(?:yaml|json)$/.test(word) ? at(word) : word)),
        host,
      )
      return { exitCode, out: host.out(), screen: host.screen() }
    },
  }
}

const aProvider = (bucketName: string): JsonObject => ({
  name: 'AWS',
  credential: { type: 'IAM-ROLE' },
  cloudServices: [{ name: 'AWS S3', connection: { bucketName, region: 'us-east-2', rootDir: 'prod' } }],
})

interface ReportedField {
  readonly pointer: string
  readonly verdict: string
  readonly because?: string
  readonly found?: unknown
}

const listFields = (out: string, verdict: string, part = '/spec/') =>
  (JSON.parse(out) as { readonly fields: readonly ReportedField[] }).fields
    .filter(one => one.verdict === verdict && one.pointer.startsWith(part))
    .map(({ pointer, found, because }) => [pointer.slice('/spec/'.length), found ?? because])

const bucket = 'cloudStorage/0/cloudServices/0/connection/bucketName'

test("plan and drift compare the profile and the cloud storage with responses from the vendor's documentation", async () => {
  const site = await aSite()
  site.write('site.yaml', { profile: 'development', cloudStorage: [aProvider('gis-objects-b')] })
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(drift.exitCode).toBe(2)
  expect(listFields(drift.out, 'different')).toEqual([
    ['profile', 'standard-availability'],
    [bucket, 'gis-objects-a'],
  ])
  expect(listFields(drift.out, 'equal')).toHaveLength(5)
  const plan = await site.landform('plan', 'site.yaml', '--format', 'json')
  expect(plan.exitCode).toBe(6)
  const { immutable } = JSON.parse(plan.out) as { immutable: readonly { readonly pointer: string }[] }
  expect(immutable.map(({ pointer }) => pointer)).toEqual(['/spec/profile', `/spec/${bucket}`])
  expect(site.received()).toHaveLength(2 * 9)
  expect(site.received().every(line => line.startsWith('GET '))).toBe(true)
  expect(
    site
      .received()
      .filter(line => line.includes('/cloud/'))
      .map(withoutCacheBuster),
  ).toEqual(Array.from({ length: 2 }, () => 'GET /cloud/providers?f=json&maskedSecret=true'))
})

test('a manifest without cloud storage differs from a site that has some, and blocks nothing', async () => {
  const site = await aSite()
  site.write('site.yaml', {})
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(drift.exitCode).toBe(2)
  expect(listFields(drift.out, 'different', '/spec/cloudStorage')).toContainEqual([bucket, 'gis-objects-a'])
  expect((await site.landform('plan', 'site.yaml')).exitCode).toBe(0)
})

test('an adopted site has no drift, and its cloud storage is in the manifest and in the record', async () => {
  const site = await aSite()
  const adopted = await site.landform('adopt', 'site.yaml', '--url', site.url, '--format', 'json')
  expect(adopted.exitCode).toBe(0)
  expect(JSON.parse(adopted.out)).toMatchObject({
    read: ['/spec/profile', '/spec/logLevel', '/spec/cloudStorage'],
    unread: [
      { pointer: '/spec/folders', because: 'not-offered' },
      { pointer: '/spec/dataStores', because: 'not-understood' },
    ],
  })
  expect(site.read('site.yaml')).toContain(`
  profile: standard-availability
`)
  expect(site.read('site.yaml')).toContain(`
  cloudStorage:
    - name: AWS
      credential:
        type: IAM-ROLE
      cloudServices:
        - name: AWS S3
          connection:
            bucketName: gis-objects-a
            region: us-east-2
            rootDir: prod
`)
  const filled = site
    .read('site.yaml')
    .replace('index: CHANGE-ME', 'index: 13')
    .replace('file: CHANGE-ME', 'file: licenses/site.json')
    .replaceAll('size: CHANGE-ME', 'size: 32Gi')
    .replace('email: CHANGE-ME', 'email: admin@example.org')
    .replaceAll('CHANGE-ME', 'changed-x')
  writeFileSync(site.at('site.yaml'), filled)
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(drift.exitCode).toBe(0)
  expect(listFields(drift.out, 'equal')).toHaveLength(8)
})

test('a section that could not be read is unknown in the manifest, with the reason in the report', async () => {
  const locked = { error: { code: 499, message: 'Token Required.', details: [] } }
  const site = await aSite({ '/cloud/providers': locked, '/data': locked, '/logs/settings': null })
  const { exitCode, out } = await site.landform('adopt', 'site.yaml', '--url', site.url)
  expect(exitCode).toBe(0)
  const text = site.read('site.yaml')
  for (const section of ['cloudStorage', 'folders', 'dataStores', 'logLevel'])
    expect(text).toMatch(new RegExp(`^ {2}# unknown: ${section} was not read from the site\\.`, 'm'))
  expect(text).not.toMatch(/^ {2}# unknown: (?:systemProperties|upgrade) /m)
  expect(text).not.toMatch(/^ {2}cloudStorage:/m)
  expect(out).toMatch(/^unread +cloudStorage, dataStores: readable only with a token/m)
  expect(out).toMatch(/^unread +folders, logLevel: not reported by the site/m)
})

const withKeys = (secret: JsonObject) => ({
  '/cloud/providers': {
    cloudProviders: [
      {
        ...printedAnswers['/cloud/providers'].cloudProviders[0],
        credential: { type: 'ACCESS-KEY', secret },
      },
    ],
  },
})
const keys: JsonObject = {
  ...aProvider('gis-objects-a'),
  credential: {
    type: 'ACCESS-KEY',
    secret: { accessKey: { env: 'LANDFORM_ACCESS_KEY' }, secretKey: { env: 'LANDFORM_SECRET_KEY' } },
  },
}

test.each<[string, JsonObject]>([
  ['masked', { accessKey: '********', secretKey: 'canary-mask' }],
  ['in plain text', { accessKey: 'canary-access', secretKey: 'canary-secret' }],
  ['equal to those of the manifest', { accessKey: 'the-access-key', secretKey: 'the-secret-key' }],
])('secrets that a site shows %s are neither compared nor shown nor stored', async (_how, secret) => {
  const site = await aSite(withKeys(secret))
  site.write('site.yaml', { cloudStorage: [keys] })
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(drift.exitCode).toBe(0)
  expect(listFields(drift.out, 'unknowable', '/spec/cloudStorage')).toEqual([
    ['cloudStorage/0/credential/secret/accessKey', 'secret'],
    ['cloudStorage/0/credential/secret/secretKey', 'secret'],
  ])
  const plan = await site.landform('plan', 'site.yaml', '--out', 'plan.json')
  const adopted = await site.landform(
    'adopt',
    'adopted.yaml',
    '--url',
    site.url,
    '--state',
    `file:${site.at('other')}`,
  )
  expect([plan.exitCode, adopted.exitCode]).toEqual([0, 0])
  expect(site.read('adopted.yaml')).toContain(`
        secret:
          secretKey:
            env: LANDFORM_SECRET_KEY
          accessKey:
            env: LANDFORM_ACCESS_KEY
`)
  const everything = [
    drift.screen,
    plan.screen,
    adopted.screen,
    site.read('plan.json'),
    site.read('adopted.yaml'),
  ]
  expect(everything.join('\n')).not.toMatch(/canary|\*{4}|the-(?:access|secret)-key/)
})

test('a name that the site masks or omits is unknown and not a difference', async () => {
  const container = (credential: object) => ({
    '/cloud/providers': {
      cloudProviders: [
        {
          name: 'AZURE',
          credential,
          cloudServices: [
            {
              name: 'Azure Blob Store',
              connection: { containerName: 'objects', accountEndpointUrl: '****' },
            },
          ],
        },
      ],
    },
  })
  const site = await aSite(
    container({ type: 'USER-ASSIGNED-IDENTITY', secret: { storageAccountName: '****' } }),
  )
  site.write('site.yaml', {
    cloudStorage: [
      {
        name: 'AZURE',
        credential: {
          type: 'USER-ASSIGNED-IDENTITY',
          managedIdentityClientId: '00000000-0000-0000-0000-000000000000',
          secret: { storageAccountName: 'account1' },
        },
        cloudServices: [
          {
            name: 'Azure Blob Store',
            connection: { containerName: 'objects', accountEndpointUrl: 'https://a.blob.example.org' },
          },
        ],
      },
    ],
  })
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(drift.exitCode).toBe(0)
  expect(listFields(drift.out, 'unknowable', '/spec/cloudStorage')).toEqual([
    ['cloudStorage/0/credential/managedIdentityClientId', 'never-recorded'],
    ['cloudStorage/0/credential/secret/storageAccountName', 'never-recorded'],
    ['cloudStorage/0/cloudServices/0/connection/accountEndpointUrl', 'never-recorded'],
  ])
  await site.landform('adopt', 'adopted.yaml', '--url', site.url, '--state', `file:${site.at('other')}`)
  expect(site.read('adopted.yaml')).toMatch(/^ +storageAccountName: CHANGE-ME # unknown$/m)
  expect(site.read('adopted.yaml')).toMatch(/^ +managedIdentityClientId: CHANGE-ME # unknown$/m)
})

test('at 12.1 the two profiles are compared and adopted', async () => {
  const profile = (profileName: string) => ({ activeProfile: { profileName, lastApplied: 1 } })
  const root = { ...printedAnswers[''], fullVersion: '12.1.0', currentVersion: 12.1 }
  const site = await aSite({
    '': root,
    '/system/architectureprofiles': null,
    '/system/availabilityprofiles': profile('Enhanced'),
    '/system/performanceprofiles': profile('Standard'),
    '/cloud/providers': { cloudProviders: [] },
  })
  const named = (name: string, parameter: string) => ({ name, parameter })
  const deploymentProfiles = {
    availability: named('standard', 'availabilityProfile'),
    performance: named('standard', 'performanceProfile'),
  }
  site.write('site.yaml', { deploymentProfiles }, '12.1')
  const drift = await site.landform('drift', 'site.yaml', '--format', 'json')
  expect(listFields(drift.out, 'different')).toEqual([['deploymentProfiles/availability/name', 'enhanced']])
  expect(listFields(drift.out, 'equal')).toEqual([['deploymentProfiles/performance/name', undefined]])
  expect((await site.landform('plan', 'site.yaml')).exitCode).toBe(6)
  const adopted = await site.landform(
    'adopt',
    'adopted.yaml',
    '--url',
    site.url,
    '--state',
    `file:${site.at('other')}`,
  )
  expect(adopted.exitCode).toBe(0)
  expect(adopted.out).toMatch(/^read +logLevel, deploymentProfiles \(2\)$/m)
  expect(site.read('adopted.yaml')).toContain(`
  deploymentProfiles:
    availability: { name: enhanced, parameter: CHANGE-ME } # unknown
    performance: { name: standard, parameter: CHANGE-ME } # unknown
`)
  expect(site.read('adopted.yaml')).not.toMatch(/^ {2}profile:/m)
})
