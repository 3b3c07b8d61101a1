import fc from 'fast-check'
import { diagnose } from '../../src/diagnostics/diagnostic.js'
import { mergeDocuments } from '../../src/manifest/effective.js'
import { findFile, findOwnPlace } from '../../src/manifest/field-places.js'
import { loadCleanManifest, loadManifest } from '../../src/manifest/load-manifest.js'
import { mergeWithBase, readCleanValue } from '../../src/manifest/quick-check.js'
import { readOrdinaryObject } from '../../src/manifest/quick-value.js'
import type { Source } from '../../src/manifest/source.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

/** Edits of an overlay: some change nothing, some remove, some are mistakes. */
const edits: readonly JsonValue[] = [
  { metadata: { name: 'other' } },
  { spec: { site: { url: 'https://other.example.org/arcgis/admin' } } },
  { spec: { volumes: { BLOB: { size: '64Gi' } } } },
  { spec: { volumes: { BLOB: null } } },
  { spec: { volumes: { QUEUE: { labels: null } } } },
  { spec: { volumes: { QUEUE: { size: '16GI' } } } },
  { spec: { profile: 'Development' } },
  { spec: { profile: null } },
  { spec: { cloudStorage: null, upgrade: null } },
  { spec: { cloudStorage: [{ name: 'AWS', credential: null }] } },
  { spec: { dataStores: [{ clientPath: '/data/x', type: 'folder', info: { fileServerHost: 'h' } }] } },
  { spec: { administrator: { password: { file: 'secrets/password' } } } },
  { spec: { administrator: { password: 'literal' } } },
  { spec: { administrator: { email: 'nobody' } } },
  { spec: { administrator: { firstName: 'CHANGE-ME' } } },
  { spec: { upgrade: { podPlacementPolicy: { tolerations: [{ key: 'a', operator: 'Exists' }] } } } },
  { spec: { upgrade: { podPlacementPolicy: { tolerations: null } } } },
  { spec: { systemProperties: { containerStartUpTimeoutSeconds: 1.5e2 } } },
  { spec: { unknown: 1 } },
  { spec: null },
]

const example = fc.constantFrom(...exampleTexts)
/** One to three files: the base is an example, and rarely a damaged one. */
const chain = fc.tuple(
  fc.oneof({ weight: 6, arbitrary: example }, { weight: 1, arbitrary: textMutant }),
  fc.array(fc.constantFrom(...edits), { minLength: 1, maxLength: 3 }),
)

function buildLayers(base: string, over: readonly JsonValue[]): readonly [Source, ...Source[]] {
  const [first, ...others] = over.map((value, index) =>
    aSource(
      JSON.stringify({ extends: `layer-${index + 1}.yaml`, ...(value as object) }),
      `layer-${index}.yaml`,
    ),
  )
  const last = aSource(base, `layer-${over.length}.yaml`)
  return first === undefined ? [last] : [first, ...others, last]
}

/** Merges bases, nearest first; `undefined` if one of them is unusual. */
function readCleanBase([nearest, ...others]: readonly Source[]): JsonObject | undefined {
  const own = nearest === undefined ? undefined : readOrdinaryObject(nearest)
  if (own === undefined || !('extends' in own)) return own
  return mergeWithBase(own, () => readCleanBase(others))
}

const readMerged = ([source, ...bases]: readonly [Source, ...Source[]]) =>
  readCleanValue(source, () => readCleanBase(bases))

test('calls an overlay clean only where the check with places finds nothing, and reads the same value', () => {
  let clean = 0
  const property = fc.property(chain, ([base, over]) => {
    const layers = buildLayers(base, over)
    const value = readMerged(layers)
    if (value === undefined) return
    clean += 1
    const [source, ...bases] = layers
    expect(loadManifest(source, bases).diagnostics).toEqual([])
    const [document, ...under] = layers.flatMap(layer => parseYaml(layer).document ?? [])
    expect(document && mergeDocuments([document, ...under]).value).toEqual(value)
    const [quick, slow] = [loadCleanManifest(source, bases), loadManifest(source, bases)]
    if (quick?.ok !== true || !slow.ok) throw new Error('a clean manifest is not loaded')
    expect({ ...quick.value, places: undefined }).toEqual({ ...slow.value, places: undefined })
    // Found where they are asked for.
    for (const pointer of [
      '',
      '/spec/volumes',
      '/spec/site/url',
      '/spec/volumes/BLOB/size',
      '/spec/absent',
    ] as const)
      expect(findOwnPlace(quick.value.places, pointer)).toEqual(findOwnPlace(slow.value.places, pointer))
    expect(findFile(quick.value.places, '/spec/site/url')).toBe(findFile(slow.value.places, '/spec/site/url'))
  })
  fc.assert(property, { numRuns: cases(400) })
  // One of four or so is.
  expect(clean).toBeGreaterThan(40)
})

test.each([
  ['a base that is not known', () => undefined],
  [
    'a base that silences findings',
    () => readCleanBase([aSource('# landform-ignore volume/size\nspec: {}')]),
  ],
  ['a base that is broken', () => readCleanBase([aSource('spec: [')])],
  ['a base that is not a map', () => readCleanBase([aSource('- 1')])],
  ['a chain whose end is missing', () => readCleanBase([aSource('extends: base.yaml')])],
])('leaves %s to the check with places', (_, findBase) => {
  expect(readCleanValue(aSource('extends: base.yaml'), findBase)).toBeUndefined()
})

test('a placeholder is found in the text of a manifest, in that of its base, and not in a comment', () => {
  const [text = ''] = exampleTexts
  const filled = text.replace(/email: \S+/, 'email: CHANGE-ME')
  expect(filled).not.toBe(text)
  const overlay = aSource('extends: base.yaml\nmetadata: { name: other }\n')
  const readWith = (base: string) => readCleanValue(overlay, () => readCleanBase([aSource(base)]))
  expect(readCleanValue(aSource(filled))).toBeUndefined()
  expect(readCleanValue(aSource(`${text}\n# CHANGE-ME\n`))).toBeDefined()
  expect(readWith(text)).toBeDefined()
  expect(readWith(filled)).toBeUndefined()
})

test('a manifest of which a judge has something to say is left to the check with places', () => {
  const source = aSource(exampleTexts[0] ?? '')
  expect(loadCleanManifest(source)?.ok).toBe(true)
  const remark = diagnose('site/url-capitals', '/spec/site/url', {})
  expect(loadCleanManifest(source, [], () => [remark])).toBeUndefined()
})

test('an `extends` that is not a path is left to the check with places', () => {
  expect(readCleanValue(aSource('extends: [base.yaml]'), () => ({}))).toBeUndefined()
  expect(readCleanValue(aSource('extends: ""'), () => ({}))).toBeUndefined()
})
