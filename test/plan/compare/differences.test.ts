import { compareValues, listLeaves } from '../../../src/plan/compare/differences.js'
import { isSame } from '../../../src/plan/compare/meaning.js'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { aFullManifest, aSmallManifest, changed, removed, valueAt } from '../../support/manifest-value.js'

const policy = '/spec/upgrade/podPlacementPolicy'
const required = `${policy}/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution`
const terms = `${required}/nodeSelectorTerms`
const one = { key: 'pool', operator: 'In', values: ['a', 'b'] }
const two = { key: 'zone', operator: 'Exists' }
const toleration = { key: 'dedicated', operator: 'Equal', value: 'x', effect: 'NoSchedule' }
const service = { name: 'S3', connection: { bucketName: 'b', region: 'r' } }

type Case = readonly [string, JsonPointer, JsonValue | undefined, JsonValue | undefined]

describe('values are the same:', () => {
  test.each<Case>([
    ['a size in another unit', '/spec/volumes/BLOB/size', '16Gi', '16384Mi'],
    ['a size with decimal places', '/spec/volumes/BLOB/size', '1.5Gi', '1536Mi'],
    ['a size with zeros', '/spec/volumes/BLOB/size', '016.00Gi', '16Gi'],
    ['a size in thousands', '/spec/volumes/BLOB/size', '1G', '1000M'],
    ['a size to the byte', '/spec/volumes/BLOB/size', '16Gi', '17179869.184k'],
    ['the default profile', '/spec/profile', undefined, 'standard-availability'],
    ['the default provisioning', '/spec/volumes/BLOB/provisioningType', 'DYNAMIC', undefined],
    ['no labels', '/spec/volumes/BLOB/labels', {}, undefined],
    ['no cloud storage', '/spec/cloudStorage', [], undefined],
    ['no data stores', '/spec/dataStores', undefined, []],
    ['no folders', '/spec/folders', [], undefined],
    ['no system properties', '/spec/systemProperties', {}, undefined],
    ['no extra parameters', '/spec/extra', {}, undefined],
    ['no tolerations', policy, { nodeAffinity: {}, tolerations: [] }, {}],
    ['folders in another order', '/spec/folders', ['/a', '/b'], ['/b', '/a']],
    ['values in another order', `${terms}/0/matchExpressions/0/values`, ['a', 'b'], ['b', 'a']],
    ['a value twice', `${terms}/0/matchExpressions/0/values`, ['a', 'b'], ['b', 'a', 'b']],
    ['no values with Exists', `${terms}/0/matchExpressions/0`, two, { ...two, values: [] }],
    [
      'expressions in another order',
      terms,
      [{ matchExpressions: [one, two] }],
      [{ matchExpressions: [two, one] }],
    ],
    [
      'an expression twice, written differently',
      terms,
      [{ matchExpressions: [one] }],
      [{ matchExpressions: [one, { ...one, values: ['b', 'a'] }] }],
    ],
    [
      'terms in another order',
      terms,
      [{ matchExpressions: [one] }, { matchExpressions: [two] }],
      [{ matchExpressions: [two] }, { matchExpressions: [one] }],
    ],
    [
      'tolerations in another order',
      `${policy}/tolerations`,
      [toleration, { key: 'spot' }],
      [{ key: 'spot' }, toleration],
    ],
    [
      'a toleration without an operator',
      `${policy}/tolerations`,
      [{ key: 'spot' }],
      [{ key: 'spot', operator: 'Equal', value: '' }],
    ],
    [
      'a toleration for everything',
      `${policy}/tolerations`,
      [{ operator: 'Exists' }],
      [{ key: '', effect: '', operator: 'Exists' }],
    ],
    [
      'a question by its number',
      '/spec/administrator/securityQuestion',
      { index: 13, answer: { env: 'LANDFORM_A' } },
      { answer: { env: 'LANDFORM_A' }, question: 'What is your dream job?' },
    ],
    ['a path with a dot', '/spec/license/file', './licenses//site.json', 'licenses/site.json'],
    ['a reference with a dot', '/spec/administrator/password', { file: './a' }, { file: 'a' }],
    [
      'the documented values of a cloud service',
      '/spec/cloudStorage/0/cloudServices/0',
      service,
      { ...service, type: 'objectStore', usage: 'DEFAULT', category: 'storage' },
    ],
    [
      'data stores in another order',
      '/spec/dataStores',
      [{ clientPath: '/a' }, {}],
      [{}, { clientPath: '/a' }],
    ],
    ['a parameter that is sent as text', '/spec/extra', { a: 5, b: true }, { b: 'true', a: '5' }],
    [
      'keys in another order',
      '/spec/systemProperties',
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ],
  ])('%s', (_, at, before, after) => {
    expect(compareValues(before, after, at)).toEqual([])
    expect(compareValues(after, before, at)).toEqual([])
    expect(isSame(before, after, at)).toBe(true)
  })
})

describe('values are different:', () => {
  test.each<Case>([
    ['sizes a byte apart', '/spec/volumes/BLOB/size', '16Gi', '17179869.185k'],
    ['thousands and 1024', '/spec/volumes/BLOB/size', '16Gi', '16G'],
    ['two texts that are not sizes', '/spec/volumes/BLOB/size', '16', '16.0'],
    ['a size and a number', '/spec/volumes/BLOB/size', '1k', 1000000000000],
    ['a size outside a volume, which is text', '/spec/volumes/BLOB/storageClass', '1Gi', '1024Mi'],
    ['a log level, which has no known default', '/spec/logLevel', undefined, 'INFO'],
    ['one folder as text, which is sent unchanged', '/spec/folders', '/a', ['/a']],
    ['letter and accent', '/spec/administrator/fullName', 'Zoë', 'Zoe\u0308'],
    ['text and number', '/spec/systemProperties', { a: '10' }, { a: 10 }],
    ['empty and absent in a map with arbitrary names', '/spec/systemProperties', { a: '' }, {}],
    ['null and absent', '/spec/systemProperties', { a: null }, {}],
    ['the order of an unknown list', '/spec/systemProperties', { a: [1, 2] }, { a: [2, 1] }],
    ['a value twice in such a list', '/spec/systemProperties', { a: [1, 1] }, { a: [1] }],
    ['a list and a map', '/spec/systemProperties', { a: [] }, { a: {} }],
    [
      'a requirement without terms, which no node meets',
      `${policy}/nodeAffinity`,
      {},
      demand({ nodeSelectorTerms: [] }),
    ],
    [
      'a requirement in another form',
      `${policy}/nodeAffinity`,
      { preferredDuringSchedulingIgnoredDuringExecution: [1] },
      { preferredDuringSchedulingIgnoredDuringExecution: [1], ...demand({}) },
    ],
    ['an empty term, which no node matches', terms, [], [{ matchExpressions: [] }]],
    [
      'terms instead of expressions',
      terms,
      [{ matchExpressions: [one, two] }],
      [{ matchExpressions: [one] }, { matchExpressions: [two] }],
    ],
    [
      'no effect, which is every effect',
      `${policy}/tolerations`,
      [toleration],
      [{ key: 'dedicated', operator: 'Equal', value: 'x' }],
    ],
    ['Exists and Equal', `${policy}/tolerations`, [{ key: 'a' }], [{ key: 'a', operator: 'Exists' }]],
    ['a policy and none', policy, undefined, {}],
    [
      'cloud services in another order, which is not documented as irrelevant',
      '/spec/cloudStorage/0/cloudServices',
      [service, { ...service, name: 'other' }],
      [{ ...service, name: 'other' }, service],
    ],
    [
      'a store twice',
      '/spec/dataStores',
      [{ clientPath: '/a' }],
      [{ clientPath: '/a' }, { clientPath: '/a' }],
    ],
    [
      'references to other sources',
      '/spec/administrator/password',
      { env: 'LANDFORM_A' },
      { file: 'LANDFORM_A' },
    ],
    ['paths of two files', '/spec/license/file', 'a/b', 'ab'],
    ['a dot that belongs to the name', '/spec/license/file', '.a', 'a'],
    ['parameters that are sent as different texts', '/spec/extra', { a: 5 }, { a: '5.0' }],
    ['a value inside such a parameter', '/spec/extra', { a: { b: 5 } }, { a: { b: '5' } }],
  ])('%s', (_, at, before, after) => {
    expect(isSame(before, after, at)).toBe(false)
    expect(compareValues(before, after, at)).not.toEqual([])
    expect(compareValues(after, before, at)).not.toEqual([])
  })
})

describe('a difference has the field and both values', () => {
  const full = aFullManifest()
  const told = (before: JsonValue | undefined, after: JsonValue | undefined, at: JsonPointer) =>
    compareValues(before, after, at).map(({ pointer, before: old, after: next }) => [pointer, old, next])

  test.each<readonly [JsonPointer, JsonValue, JsonValue]>([
    [
      '/spec/volumes/BLOB/labels',
      { 'arcgis/tier': 'storage', 'arcgis/app': 'ozone' },
      { 'arcgis/tier': 'storage' },
    ],
    ['/spec/cloudStorage/0/cloudServices/0/connection/rootDir', 'prod', 'test'],
    ['/spec/cloudStorage/0/credential/secret/accessKey', { env: 'LANDFORM_ACCESSKEY' }, { file: 'key' }],
    ['/spec/dataStores/0/info/fileServerHost', 'nfs.example.org', 'other'],
    ['/spec/dataStores/0/clientPath', '/data/imagery', '/data/other'],
    ['/spec/folders', ['/data/a', '/data/b'], ['/data/a']],
    ['/spec/license/file', 'licenses/site.json', 'licenses/other.json'],
    ['/spec/extra/somethingNewer', 'on', 'off'],
    [`${terms}/0/matchExpressions/0/values`, ['upgrades'], ['upgrades', 'more']],
    [`${policy}/tolerations/1/key`, 'spot', 'other'],
  ])('%s', (pointer, before, after) => {
    expect(valueAt(full, pointer)).toEqual(before)
    const manifest = changed(full, pointer, after)
    expect(told(valueAt(full, '/spec'), valueAt(manifest, '/spec'), '/spec')).toEqual([
      [pointer, before, after],
    ])
  })

  test('with the default if one side omits it', () => {
    const before = changed(aSmallManifest(), '/spec/volumes/BLOB/provisioningType', 'STATIC')
    expect(told(valueAt(before, '/spec'), valueAt(aSmallManifest(), '/spec'), '/spec')).toEqual([
      ['/spec/volumes/BLOB/provisioningType', 'STATIC', 'DYNAMIC'],
    ])
    expect(told(undefined, 'development', '/spec/profile')).toEqual([
      ['/spec/profile', 'standard-availability', 'development'],
    ])
  })

  test('with a question in the form that the manifest uses', () => {
    const answer = { env: 'LANDFORM_A' }
    const at = '/spec/administrator/securityQuestion'
    const [first, second] = ['What city were you born in?', 'What was your high school mascot?']
    expect(told({ index: 2, answer }, { question: first, answer }, at)).toEqual([
      [`${at}/question`, second, first],
    ])
    expect(told({ question: second, answer }, { index: 1, answer }, at)).toEqual([[`${at}/index`, 2, 1]])
  })

  test('as removed and added fields if a value is replaced by one of another form', () => {
    expect(told({ a: 'on' }, { a: { b: 1 } }, '/spec/extra')).toEqual([
      ['/spec/extra/a/b', undefined, 1],
      ['/spec/extra/a', 'on', undefined],
    ])
    expect(told('/a', ['/a'], '/spec/folders')).toEqual([['/spec/folders', '/a', ['/a']]])
  })

  test('at the position in the second value, for elements in another order', () => {
    const at = `${policy}/tolerations`
    const spot = { key: 'spot', operator: 'Exists' }
    expect(told([toleration, spot], [spot, { ...toleration, value: 'y' }], at)).toEqual([
      [`${at}/1/value`, 'x', 'y'],
    ])
  })

  test('for the element with the same name, in any order', () => {
    const stores = (...pairs: readonly (readonly [string, string])[]) =>
      pairs.map(([clientPath, type]) => ({ clientPath, type }))
    const [before, after] = [stores(['/a', 'x'], ['/b', 'x']), stores(['/b', 'y'], ['/a', 'z'])]
    expect(told(before, after, '/spec/dataStores')).toEqual([
      ['/spec/dataStores/0/type', 'x', 'y'],
      ['/spec/dataStores/1/type', 'x', 'z'],
    ])
  })

  test('once, for a list without names in another order', () => {
    const [first, second] = [
      { matchExpressions: [one, two] },
      { matchExpressions: [{ ...one, key: 'zone' }] },
    ]
    const changedFirst = { matchExpressions: [two, { ...one, operator: 'NotIn' }] }
    expect(told([first, second], [second, changedFirst], terms)).toEqual([
      [`${terms}/1/matchExpressions/1/operator`, 'In', 'NotIn'],
    ])
  })

  test('once, for an element that is written twice', () => {
    const at = `${policy}/tolerations`
    const spot = { key: 'spot' }
    expect(told([toleration], [spot, toleration, spot], at)).toEqual([[`${at}/0/key`, undefined, 'spot']])
  })

  test('after the remaining elements, for a removed one, and near its list', () => {
    const at = `${policy}/tolerations`
    expect(compareValues([{ key: 'gone' }, toleration], [toleration], at)).toEqual([
      { pointer: `${at}/1/key`, near: at, before: 'gone' },
    ])
  })

  test('near the closest position that exists in the second value', () => {
    const near = (before: JsonValue, after: JsonValue) =>
      compareValues(before, after, '/spec').map(one => one.near)
    const manifest = changed(aSmallManifest(), '/spec/upgrade', {
      podPlacementPolicy: { tolerations: [toleration] },
    })
    const spec = (value: JsonValue) => valueAt(value, '/spec') ?? null
    expect(near(spec(manifest), spec(aSmallManifest()))).toEqual(Array(4).fill('/spec'))
    const emptied = changed(manifest, `${policy}/tolerations`, [])
    expect(near(spec(manifest), spec(emptied))).toEqual(Array(4).fill(`${policy}/tolerations`))
    const without = removed(manifest, `${policy}/tolerations`)
    expect(near(spec(manifest), spec(without))).toEqual(Array(4).fill(policy))
  })

  test('for undocumented fields that a site may report', () => {
    const live = { tolerations: [{ ...toleration, tolerationSeconds: 5 }], nodeAffinity: {} }
    expect(told(live, { tolerations: [toleration] }, policy)).toEqual([
      [`${policy}/tolerations/0/tolerationSeconds`, 5, undefined],
    ])
    const preferred = `${policy}/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution`
    const weighted = [{ weight: 1, preference: two }]
    expect(told(weighted, { nodeSelectorTerms: [] }, preferred)).toEqual([
      [`${preferred}/nodeSelectorTerms`, undefined, []],
      [`${preferred}/0/weight`, 1, undefined],
      [`${preferred}/0/preference/key`, 'zone', undefined],
      [`${preferred}/0/preference/operator`, 'Exists', undefined],
    ])
  })

  test('for names that every object has', () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": {"valueOf": 3}}') as JsonValue
    expect(told({}, value, '/spec/systemProperties').map(([pointer]) => pointer)).toEqual([
      '/spec/systemProperties/__proto__',
      '/spec/systemProperties/constructor',
      '/spec/systemProperties/toString/valueOf',
    ])
    expect(isSame(value, {}, '/spec/systemProperties')).toBe(false)
  })
})

test('leaves are the fields in the sense of users', () => {
  const pointers = listLeaves(valueAt(aFullManifest(), '/spec') ?? null, '/spec').map(
    ({ pointer }) => pointer,
  )
  expect(pointers).toEqual(
    expect.arrayContaining([
      '/spec/license/file',
      '/spec/license/serverFile',
      '/spec/administrator/password',
      '/spec/volumes/BLOB/labels',
      '/spec/folders',
      '/spec/cloudStorage/0/credential/secret/accessKey',
      `${terms}/0/matchExpressions/0/values`,
      `${policy}/tolerations/1/operator`,
    ]),
  )
  expect(pointers.filter(pointer => pointer.endsWith('/env'))).toEqual([])
  expect(listLeaves({ a: { file: 'b' } }, '/spec/extra')).toEqual([
    { pointer: '/spec/extra/a/file', value: 'b' },
  ])
})

function demand(selector: JsonValue): JsonObject {
  return { requiredDuringSchedulingIgnoredDuringExecution: selector }
}
