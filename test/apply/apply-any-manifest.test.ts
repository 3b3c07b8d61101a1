import fc from 'fast-check'
import { cloudServiceFields } from '../../src/contract/cloud.js'
import { startEmulator } from '../../src/emulator/server.js'
import { computeDigest } from '../../src/manifest/digest.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { listNamedParameters } from '../../src/manifest/manifest.js'
import { hasChanges } from '../../src/plan/plan.js'
import type { JsonObject } from '../../src/schema/json-schema.js'
import type { SecretSource } from '../../src/secrets/secret-source.js'
import { createTokenProvider } from '../../src/secrets/token-provider.js'
import { applied, planFor, portsFor } from '../support/applying.js'
import { cases } from '../support/cases.js'
import { linedJson } from '../support/lined-json.js'
import { randomFrom, respelled } from '../support/respelled.js'
import { someManifest } from '../support/some-manifest.js'
import { virtualClock } from '../support/virtual-clock.js'

/** Has every secret and file that the manifests reference. */
const secrets: SecretSource = {
  variable: () => 'Correct-horse-1',
  file: async () => ({ kind: 'read', bytes: Buffer.from('Correct-horse-2') }),
  digest: async () => ({ kind: 'digested', digest: computeDigest('Correct-horse-2') }),
  pathOf: ({ path }) => path,
  standIn: () => undefined,
}

const usual = (name: 'type' | 'usage' | 'category') =>
  fc.constantFrom(cloudServiceFields[name].value, undefined)

/** Manifests that are also valid for the emulator, which rejects only what the document rules out and unknown names. */
const manifests = someManifest({
  'CloudService/type': usual('type'),
  'CloudService/usage': usual('usage'),
  'CloudService/category': usual('category'),
  'Spec/extra': fc.constant(undefined),
  'Site/token': fc.constant({ env: 'LANDFORM_TOKEN' }),
})

function manifestOf(value: JsonObject) {
  const loaded = loadManifest({ name: 'site.yaml', bytes: Buffer.from(linedJson(value).text) })
  if (!loaded.ok) throw new Error('the manifest is not valid')
  return loaded.value
}

test.each([
  ['document', { fidelity: 'document' }],
  ['field', { fidelity: 'field', field: { securityFrom: 'never' } }],
] as const)(
  'any manifest that was applied plans no change, also when it is written differently (%s)',
  async (_, options) => {
    await fc.assert(
      fc.asyncProperty(manifests, fc.nat(), async (value, seed) => {
        const desired = manifestOf(value)
        const clock = virtualClock()
        const { version } = desired.site
        const accept = listNamedParameters(desired.organization)
        const emulator = await startEmulator({ ...options, version, accept, now: clock.now, stageMs: 1000 })
        try {
          const provideToken = createTokenProvider(desired.site.token, secrets)
          const ports = portsFor(emulator.url, { clock, secrets, provideToken })
          const { receipt } = await applied(await planFor(emulator.url, desired, ports), ports)
          expect(receipt.outcome).toStrictEqual({ kind: 'done' })
          for (const again of [desired, manifestOf(respelled(value, randomFrom(seed)))]) {
            const plan = await planFor(emulator.url, again, ports)
            expect(hasChanges(plan)).toBe(false)
            expect(plan.immutable).toStrictEqual([])
          }
        } finally {
          await emulator.close()
        }
      }),
      { numRuns: cases(1) },
    )
  },
)
