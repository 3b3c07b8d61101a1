import { credentialTypeNames } from '../../src/contract/cloud.js'
import { newestReportedVersion } from '../../src/contract/versions.js'
import { merge } from '../../src/manifest/merge.js'
import type { JsonObject, JsonSchema, JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { buildOverlaySchema, buildPublishedSchema } from '../../src/schema/published-schema.js'
import { aFullManifest, changed, pointersIn, valueAt } from '../support/manifest-value.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const complaints = (overlay: JsonValue) => listSchemaErrors('overlay', overlay)
const provider = '/spec/cloudStorage/0'
const tolerations = '/spec/upgrade/podPlacementPolicy/tolerations'

describe('the schema of overlays', () => {
  test.each<[string, JsonObject]>([
    ['nothing at all', {}],
    [
      'only what a base leaves open',
      { apiVersion: 'landform.dev/v1', kind: 'SiteDeployment', extends: 'a.yaml' },
    ],
    ['one size', { spec: { volumes: { QUEUE: { size: '64Gi' } } } }],
    [
      'one field of a provider',
      { spec: { cloudStorage: [{ name: 'AWS', credential: { type: 'IAM-ROLE' } }] } },
    ],
    [
      'the other form of the security question',
      { spec: { administrator: { securityQuestion: { index: 1, question: null } } } },
    ],
    ['a field that an older version lacks, removed', { spec: { site: { version: '10.9' }, upgrade: null } }],
  ])('accepts %s', (_, overlay) => {
    expect(complaints(overlay)).toEqual([])
  })

  test.each(credentialTypeNames)('accepts a whole manifest, with %s', type => {
    expect(complaints(aFullManifest(type))).toEqual([])
  })

  test.each<[string, JsonPointer, JsonValue]>([
    ['an unknown field', '/spec/lgoLevel', 'INFO'],
    ['a value that is not allowed', '/kind', 'Site'],
    ['a value of another type', '/spec/site/version', 11.2],
    ['a secret that is text', '/spec/administrator/password', 'hunter2'],
    ['a size without a unit', '/spec/volumes/QUEUE/size', '16'],
    ['a part of an element in a list that is not merged', `${provider}/cloudServices`, [{ name: 'objects' }]],
    ['an element without its merge key', provider, { credential: { type: 'IAM-ROLE' } }],
    ['no spec', '/spec', null],
  ])('rejects %s', (_, pointer, value) => {
    expect(complaints(changed({ spec: {} }, pointer, value))).not.toEqual([])
  })

  const below = pointersIn(aFullManifest('STORAGE-ACCOUNT-KEY')).filter(pointer =>
    /^\/(?:spec|metadata)\//.test(pointer),
  )

  test.each(below)('accepts null at %s exactly if it removes something', pointer => {
    const base = aFullManifest('STORAGE-ACCOUNT-KEY')
    const overlay = changed(base, pointer, null)
    const removes = valueAt(merge(overlay, base).value, pointer) === undefined
    expect(complaints(overlay).length === 0).toBe(removes)
  })

  test('distinguishes nulls that remove something from those that do not', () => {
    const base = aFullManifest()
    const removes = (pointer: JsonPointer) =>
      valueAt(merge(changed(base, pointer, null), base).value, pointer) === undefined
    expect(removes('/spec/logLevel')).toBe(true)
    expect(removes(`${tolerations}/0/value`)).toBe(true)
    expect(removes(`${tolerations}/0`)).toBe(false)
    expect(removes('/spec/administrator/password/env')).toBe(false)
  })

  test('has the same texts for every field as the schema of manifests', () => {
    const whole = wordsIn(buildPublishedSchema(newestReportedVersion))
    const overlay = wordsIn(buildOverlaySchema())
    expect(overlay.size).toBeGreaterThan(60)
    for (const [place, words] of overlay) expect([place, words]).toEqual([place, whole.get(place)])
    for (const place of whole.keys()) if (!place.includes('/oneOf/')) expect(overlay.has(place)).toBe(true)
  })
})

function wordsIn(node: unknown, at = '', found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof node !== 'object' || node === null) return found
  const words = (node as JsonSchema).markdownDescription
  if (typeof words === 'string') found.set(at, words)
  for (const [key, part] of Object.entries(node)) wordsIn(part, `${at}/${key}`, found)
  return found
}
