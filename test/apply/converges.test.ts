import fc from 'fast-check'
import { siteWriter } from '../../src/client/site-writer.js'
import { architectureProfiles } from '../../src/contract/profiles.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { createTokenProvider } from '../../src/secrets/token-provider.js'
import { applied, planFor, portsFor } from '../support/applying.js'
import { cases } from '../support/cases.js'
import { aPolicy, aSmallManifest, changed } from '../support/manifest-value.js'
import { someSecrets } from '../support/some-secrets.js'

const running: Emulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const cloudServices = [
  { name: 'AWS S3', connection: { bucketName: 'objects', region: 'eu-west-1', rootDir: 'prod' } },
]
const keys = {
  accessKey: { env: 'LANDFORM_ADMIN_PASSWORD' },
  secretKey: { env: 'LANDFORM_SECURITY_ANSWER' },
} as const

/** Manifests with every combination of the fields that some site reports. */
const manifests = fc
  .record(
    {
      profile: fc.constantFrom(...Object.keys(architectureProfiles)),
      logLevel: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
      systemProperties: fc.dictionary(
        // A name that no manifest may have, and that fast-check's strings produce.
        fc.string({ maxLength: 10 }).filter(name => name !== '__proto__'),
        fc.oneof(
          fc.string(),
          fc.boolean(),
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
      ),
      cloudStorage: fc.constantFrom<JsonObject[]>(
        [{ name: 'AWS', credential: { type: 'IAM-ROLE' }, cloudServices }],
        [{ name: 'AWS', credential: { type: 'ACCESS-KEY', secret: keys }, cloudServices }],
        [
          {
            name: 'AZURE',
            credential: {
              type: 'STORAGE-ACCOUNT-KEY',
              secret: { storageAccountName: 'account1', storageAccountKey: keys.secretKey },
            },
            cloudServices: [{ name: 'Azure Blob Store', connection: { containerName: 'objects' } }],
          },
        ],
      ),
      upgrade: fc.constantFrom<JsonObject>(
        { podPlacementPolicy: {} },
        { podPlacementPolicy: { nodeAffinity: {} } },
        { podPlacementPolicy: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } },
        { podPlacementPolicy: aPolicy() },
      ),
    },
    { requiredKeys: [] },
  )
  .map(more => {
    const small = changed(aSmallManifest(), '/spec/site/token', { env: 'LANDFORM_TOKEN' })
    const spec = isObject(small['spec']) ? small['spec'] : {}
    return { ...small, spec: { ...spec, ...(more as JsonObject) } } satisfies JsonValue
  })

function loaded(value: JsonValue): Manifest {
  const manifest = loadManifest({ name: 'site.yaml', bytes: Buffer.from(JSON.stringify(value, null, 1)) })
  if (!manifest.ok) throw new Error(JSON.stringify(manifest.diagnostics))
  return manifest.value
}

const field = { fidelity: 'field', token: someSecrets.LANDFORM_TOKEN } as const

const reported = /^\/spec\/(?:profile|logLevel|upgrade|cloudStorage(?!.*\/secret\/))/
// Version 12.1 replaced the resource of the profile.
const reportedAt121 = /^\/spec\/(?:logLevel|upgrade|cloudStorage(?!.*\/secret\/))/

test.each<[string, EmulatorOptions, readonly string[], RegExp]>([
  ['that reports nothing', {}, ['recorded', 'unknowable'], reported],
  ['of the field', field, ['equal', 'recorded', 'unknowable'], reported],
  ['of the field, 12.1', { ...field, version: '12.1' }, ['equal', 'recorded', 'unknowable'], reportedAt121],
])('whatever was applied to a site %s, the next plan is empty', async (_, options, verdicts, part) => {
  await fc.assert(
    fc.asyncProperty(manifests, async value => {
      const ports = portsFor('http://127.0.0.1')
      const emulator = await startEmulator({ now: ports.clock.now, ...options })
      running.push(emulator)
      const desired = loaded(value)
      const provideToken = createTokenProvider(desired.site.token, ports.secrets)
      const { state } = portsFor(emulator.url)
      const real = { ...ports, client: siteWriter(emulator.url, provideToken), provideToken, state }
      const { receipt } = await applied(await planFor(emulator.url, desired, real), real)
      expect(receipt.outcome).toStrictEqual({ kind: 'done' })
      const plan = await planFor(emulator.url, desired, real)
      expect(plan.actions.map(({ change }) => change)).toStrictEqual(plan.actions.map(() => 'no-op'))
      expect(plan.immutable).toStrictEqual([])
      expect(plan.fields.filter(({ verdict }) => !verdicts.includes(verdict))).toStrictEqual([])
      const told = plan.fields.filter(({ pointer }) => part.test(pointer))
      expect(told.every(({ verdict }) => verdict === verdicts[0])).toBe(true)
      await running.pop()?.close()
    }),
    { numRuns: cases(1) },
  )
})
