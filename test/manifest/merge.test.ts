import fc from 'fast-check'
import { credentialTypeNames } from '../../src/contract/cloud.js'
import { merge } from '../../src/manifest/merge.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { cases } from '../support/cases.js'
import { aFullManifest, aSmallManifest, changed, pointersIn, valueAt } from '../support/manifest-value.js'
import { mutant } from '../support/mutants.js'

const merged = (over: JsonValue, base: JsonValue) => merge(over, base).value
const spec = (value: JsonObject): JsonObject => ({ spec: value })
const tolerations = (...list: readonly JsonValue[]) =>
  spec({ upgrade: { podPlacementPolicy: { tolerations: list } } })

describe('merging a manifest with its base', () => {
  test.each<[string, JsonValue, JsonValue, JsonValue]>([
    [
      'merges maps',
      { a: 1, m: { x: 1, y: 1 } },
      { b: 2, m: { y: 2, z: 2 } },
      { b: 2, m: { y: 1, z: 2, x: 1 }, a: 1 },
    ],
    ['replaces values that are not maps', { a: 'new' }, { a: { b: 1 } }, { a: 'new' }],
    ['replaces a value by a map', { a: { b: 1 } }, { a: 'old' }, { a: { b: 1 } }],
    [
      'removes a value by null',
      spec({ logLevel: null }),
      spec({ logLevel: 'INFO', folders: ['/a'] }),
      spec({ folders: ['/a'] }),
    ],
    ['ignores a null without a value', spec({ logLevel: null }), spec({}), spec({})],
    [
      'keeps a null at a field that does not exist',
      spec({ lgoLevel: null }),
      spec({}),
      spec({ lgoLevel: null }),
    ],
    ['replaces lists', spec({ folders: ['/b'] }), spec({ folders: ['/a'] }), spec({ folders: ['/b'] })],
    [
      'merges cloud storage by name',
      spec({ cloudStorage: [{ name: 'GCP' }, { name: 'AWS', credential: { type: 'IAM-ROLE' } }] }),
      spec({ cloudStorage: [{ name: 'AWS', cloudServices: [] }] }),
      spec({
        cloudStorage: [{ name: 'AWS', cloudServices: [], credential: { type: 'IAM-ROLE' } }, { name: 'GCP' }],
      }),
    ],
    [
      'merges data stores by client path',
      spec({ dataStores: [{ clientPath: '/a', type: 'x' }] }),
      spec({ dataStores: [{ clientPath: '/a', type: 'folder' }, { clientPath: '/b' }] }),
      spec({ dataStores: [{ clientPath: '/a', type: 'x' }, { clientPath: '/b' }] }),
    ],
    [
      'merges tolerations by key and effect',
      tolerations({ key: 'a', effect: 'NoSchedule', value: '2' }, { key: 'a', effect: 'NoExecute' }),
      tolerations({ key: 'a', effect: 'NoSchedule', value: '1', operator: 'Equal' }),
      tolerations(
        { key: 'a', effect: 'NoSchedule', value: '2', operator: 'Equal' },
        { key: 'a', effect: 'NoExecute' },
      ),
    ],
    [
      'does not merge elements without a name',
      tolerations({ operator: 'Exists' }),
      tolerations({ operator: 'Exists' }),
      tolerations({ operator: 'Exists' }, { operator: 'Exists' }),
    ],
    [
      'replaces a reference as a whole',
      spec({ administrator: { password: { file: 'pw' } } }),
      spec({ administrator: { password: { env: 'LANDFORM_P' } } }),
      spec({ administrator: { password: { file: 'pw' } } }),
    ],
    ['drops the `extends` of the base', { extends: 'a' }, { extends: 'b', x: 1 }, { x: 1, extends: 'a' }],
  ])('%s', (_, over, base, expected) => {
    expect(merged(over, base)).toEqual(expected)
  })

  test('keeps the order of the base, so that the printed result resembles it', () => {
    expect(JSON.stringify(merged({ c: 3, a: 1 }, { a: 0, b: 0 }))).toBe('{"a":1,"b":0,"c":3}')
  })

  test('changes nothing if the manifest is empty', () => {
    fc.assert(
      fc.property(mutant, manifest => {
        expect(merged({}, manifest)).toEqual(manifest)
      }),
      { numRuns: cases(8) },
    )
  })

  test.each(credentialTypeNames)('twice is the same as once, with %s', type => {
    const over = aFullManifest(type)
    const once = merged(over, changed(aSmallManifest(), '/metadata', { name: 'base' }))
    expect(merged(over, once)).toEqual(once)
  })

  test('records the side of every value', () => {
    const property = fc.property(mutant, mutant, (over, base) => {
      const { value, origins } = merge(over, base)
      for (const pointer of pointersIn(value)) {
        const from = origins.get(pointer)
        if (from === undefined) continue
        const found = valueAt(from.side === 'over' ? over : base, from.pointer)
        if (typeof found !== 'object' || from.side === 'base') expect(valueAt(value, pointer)).toEqual(found)
      }
    })
    fc.assert(property, { numRuns: cases(8) })
  })
})
