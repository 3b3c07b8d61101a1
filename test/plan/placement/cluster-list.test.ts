import fc from 'fast-check'
import { readNodes } from '../../../src/plan/placement/nodes.js'
import { readStorageClasses } from '../../../src/plan/placement/storage.js'
import { describeListFault, listRemedy } from '../../../src/report/cluster-preview.js'
import { cases } from '../../support/cases.js'
import { aNodeObject, aStorageClassObject, jsonBytes } from '../../support/cluster.js'

const node = aNodeObject({ name: 'n1' })
const other = aNodeObject({ name: 'n2' })
const storageClass = aStorageClassObject({ name: 'gp3' })

const namesIn = (value: unknown) => {
  const read = readNodes(jsonBytes(value))
  return read.ok ? read.value.map(({ name }) => name) : read.error
}

/** What is wrong, as one line of place and problem. */
function findError(read: ReturnType<typeof readNodes> | ReturnType<typeof readStorageClasses>): string {
  return read.ok ? 'nothing' : `${read.error.pointer} ${describeListFault(read.error.fault)}`
}

describe('nodes are read from', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['what kubectl prints', { apiVersion: 'v1', kind: 'List', items: [node, other] }, ['n1', 'n2']],
    [
      'what an API server answers, where items repeat no kind',
      { kind: 'NodeList', items: [{ ...node, kind: undefined, apiVersion: undefined }] },
      ['n1'],
    ],
    ['the items alone', [node, other], ['n1', 'n2']],
    ['one node', node, ['n1']],
    ['as little as counts', [{ metadata: { name: 'n1' } }], ['n1']],
    [
      'null where nothing is',
      [
        {
          metadata: { name: 'n1', labels: null },
          spec: { taints: null, unschedulable: null },
          status: { conditions: null },
        },
      ],
      ['n1'],
    ],
  ])('%s', (_what, value, names) => {
    expect(namesIn(value)).toEqual(names)
  })

  test('a text with a byte order mark', () => {
    expect(readNodes(new Uint8Array([0xef, 0xbb, 0xbf, ...jsonBytes(node)])).ok).toBe(true)
  })

  test('and nothing else of them is kept', () => {
    const taints = [{ key: 'a', value: null, effect: 'NoSchedule', timeAdded: '2026-03-04T05:06:07Z' }]
    const read = readNodes(
      jsonBytes(aNodeObject({ labels: { a: 'b' }, taints, unschedulable: true, ready: 'Unknown' })),
    )
    expect(read).toEqual({
      ok: true,
      value: [
        {
          name: 'n1',
          labels: new Map([['a', 'b']]),
          taints: [
            { key: 'a', value: '', effect: 'NoSchedule' },
            { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' },
          ],
          ready: false,
        },
      ],
    })
  })

  test.each([
    ['True', true],
    ['False', false],
    ['Unknown', false],
  ])('a condition Ready of %s', (ready, expected) => {
    const read = readNodes(jsonBytes(aNodeObject({ ready })))
    expect(read.ok && read.value[0]?.ready).toBe(expected)
  })
})

describe('what is no list of nodes is refused where it is wrong:', () => {
  const withNode = (change: object) => [node, { metadata: { name: 'n2' }, ...change }]
  const withTaint = (taint: unknown) => withNode({ spec: { taints: [taint] } })
  test.each<[string, unknown, string]>([
    ['a number', 7, ' is not a list or an object'],
    ['null', null, ' is not a list or an object'],
    ['another object', { kind: 'Pod' }, '/kind is not `List` or `Node`'],
    ['no kind', { items: [node] }, '/kind is not `List` or `Node`'],
    ['a list of classes', { kind: 'List', items: [storageClass] }, '/items/0/kind is not `Node`'],
    ['a list of a kind of classes', { kind: 'StorageClassList', items: [] }, '/kind is not `List` or `Node`'],
    ['no items', { kind: 'List' }, '/items is not a list'],
    ['an empty list', { kind: 'List', items: [] }, ' lists no nodes'],
    ['no elements', [], ' lists no nodes'],
    ['an element that is null', [null], '/0 is not an object'],
    ['an element that is a list', { kind: 'List', items: [[node]] }, '/items/0 is not an object'],
    ['a pod', [node, { ...other, kind: 'Pod' }], '/1/kind is not `Node`'],
    ['no metadata', [{ kind: 'Node' }], '/0/metadata is not an object'],
    ['no name', [{ metadata: {} }], '/0/metadata/name is not a name of at most 253 characters'],
    [
      'an empty name',
      [{ metadata: { name: '' } }],
      '/0/metadata/name is not a name of at most 253 characters',
    ],
    [
      'a long name',
      [{ metadata: { name: 'n'.repeat(254) } }],
      '/0/metadata/name is not a name of at most 253 characters',
    ],
    ['a name twice', [node, other, node], '/2/metadata/name repeats the name of an earlier element'],
    ['labels in a list', [{ metadata: { name: 'n', labels: [] } }], '/0/metadata/labels is not an object'],
    [
      'a label that is a number',
      [{ metadata: { name: 'n', labels: { 'a/b': 1 } } }],
      '/0/metadata/labels/a~1b is not a label of at most 63 characters',
    ],
    [
      'a label that is long',
      [{ metadata: { name: 'n', labels: { a: 'x'.repeat(64) } } }],
      '/0/metadata/labels/a is not a label of at most 63 characters',
    ],
    [
      'a long key of a label',
      [{ metadata: { name: 'n', labels: { ['k'.repeat(318)]: '' } } }],
      `/0/metadata/labels/${'k'.repeat(318)} is not a label of at most 63 characters`,
    ],
    [
      'too many labels',
      [
        {
          metadata: {
            name: 'n',
            labels: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [at, ''])),
          },
        },
      ],
      '/0/metadata/labels has more than 1000 labels',
    ],
    ['a spec that is text', withNode({ spec: 'x' }), '/1/spec is not an object'],
    ['a status that is text', withNode({ status: 'x' }), '/1/status is not an object'],
    [
      'conditions that are none',
      withNode({ status: { conditions: {} } }),
      '/1/status/conditions is not a list',
    ],
    [
      'a cordon in words',
      withNode({ spec: { unschedulable: 'true' } }),
      '/1/spec/unschedulable is not true or false',
    ],
    ['taints that are no list', withNode({ spec: { taints: {} } }), '/1/spec/taints is not a list'],
    [
      'a taint that is text',
      withTaint('a'),
      '/1/spec/taints/0/key is not a taint key of at most 317 characters',
    ],
    [
      'a taint without a key',
      withTaint({ effect: 'NoSchedule' }),
      '/1/spec/taints/0/key is not a taint key of at most 317 characters',
    ],
    [
      'a taint of an empty key',
      withTaint({ key: '', effect: 'NoSchedule' }),
      '/1/spec/taints/0/key is not a taint key of at most 317 characters',
    ],
    [
      'a taint of a long key',
      withTaint({ key: 'k'.repeat(318), effect: 'NoSchedule' }),
      '/1/spec/taints/0/key is not a taint key of at most 317 characters',
    ],
    [
      'a taint of a number',
      withTaint({ key: 'a', value: 1, effect: 'NoSchedule' }),
      '/1/spec/taints/0/value is not a taint value of at most 63 characters',
    ],
    [
      'an effect that is not known',
      withTaint({ key: 'a', effect: 'NoAdmit' }),
      '/1/spec/taints/0/effect is not one of NoExecute, NoSchedule, PreferNoSchedule',
    ],
    [
      'too many taints',
      withNode({ spec: { taints: Array.from({ length: 101 }, () => ({ key: 'a', effect: 'NoSchedule' })) } }),
      '/1/spec/taints has more than 100 taints',
    ],
    ['too many nodes', Array.from({ length: 20_001 }, () => 0), ' has more than 20000 elements'],
  ])('%s', (_what, value, expected) => {
    expect(findError(readNodes(jsonBytes(value)))).toBe(expected)
  })

  test.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(), ' is empty'],
    [
      'a table for people',
      new TextEncoder().encode('NAME  STATUS\nn1  Ready\n'),
      ' is not valid JSON in UTF-8',
    ],
    [
      'a byte that is no UTF-8',
      new Uint8Array([
        ...jsonBytes(node).subarray(0, -1),
        0x2c,
        0x22,
        0x61,
        0x22,
        0x3a,
        0x22,
        0xff,
        0x22,
        0x7d,
      ]),
      ' is not valid JSON in UTF-8',
    ],
    ['YAML', new TextEncoder().encode('kind: List\n'), ' is not valid JSON in UTF-8'],
    ['half of a list', jsonBytes([node]).subarray(0, 50), ' is not valid JSON in UTF-8'],
    [
      'UTF-16',
      new Uint8Array(Buffer.from(`\uFEFF${JSON.stringify(node)}`, 'utf16le')),
      ' is not valid JSON in UTF-8',
    ],
    [
      'a hundred thousand levels',
      new TextEncoder().encode('['.repeat(100_000)),
      ' is not valid JSON in UTF-8',
    ],
    [
      'levels that end',
      new TextEncoder().encode(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      '/0 is not an object',
    ],
    ['more than the cap', new Uint8Array(64 * 1024 * 1024 + 1), ' is larger than 64 MiB'],
  ])('%s', (_what, bytes, expected) => {
    expect(findError(readNodes(bytes))).toBe(expected)
  })

  test('and what to do is said', () => {
    const remedy = (value: unknown) => {
      const read = readNodes(jsonBytes(value))
      return read.ok ? undefined : listRemedy(read.error)
    }
    expect(remedy({ kind: 'Pod' })).toBe('create the file with: kubectl get nodes -o json')
    expect(remedy([])).toContain('right cluster')
  })
})

test('names that objects inherit are labels like others', () => {
  const text = '{"kind":"Node","metadata":{"name":"n","labels":{"__proto__":"a","constructor":"b"}}}'
  const read = readNodes(new TextEncoder().encode(text))
  expect(read.ok && read.value[0]?.labels).toEqual(
    new Map([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]),
  )
})

test('no value of JSON makes reading throw', () => {
  const key = fc.constantFrom(
    'kind',
    'items',
    'metadata',
    'name',
    'labels',
    'spec',
    'taints',
    'status',
    'conditions',
    'effect',
  )
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('Node', 'List', 'n1', 'NoSchedule', 1, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(value, some => {
      for (const read of [readNodes, readStorageClasses])
        for (const content of [some, [some], { ...node, spec: some }, { ...node, metadata: some }])
          expect(read(jsonBytes(content) ?? new Uint8Array())).toHaveProperty('ok')
    }),
    { numRuns: cases(125) },
  )
})

describe('storage classes', () => {
  test('have the defaults of Kubernetes', () => {
    const { kind, metadata } = storageClass
    expect(readStorageClasses(jsonBytes({ kind: 'List', items: [{ kind, metadata }] }))).toEqual({
      ok: true,
      value: [
        { name: 'gp3', allowVolumeExpansion: false, volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' },
      ],
    })
  })

  test('keep what is said of them', () => {
    const said = {
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Retain',
    }
    const read = readStorageClasses(jsonBytes({ ...storageClass, ...said }))
    expect(read).toEqual({ ok: true, value: [{ name: 'gp3', ...said }] })
  })

  test('may be none', () => {
    expect(readStorageClasses(jsonBytes({ kind: 'List', items: [] }))).toEqual({ ok: true, value: [] })
  })

  test.each<[string, object, string]>([
    ['an expansion in words', { allowVolumeExpansion: 'yes' }, '/allowVolumeExpansion is not true or false'],
    [
      'a mode that is a number',
      { volumeBindingMode: 1 },
      '/volumeBindingMode is not a word of at most 253 characters',
    ],
    [
      'a policy that is a list',
      { reclaimPolicy: [] },
      '/reclaimPolicy is not a word of at most 253 characters',
    ],
    [
      'a policy that is long',
      { reclaimPolicy: 'x'.repeat(254) },
      '/reclaimPolicy is not a word of at most 253 characters',
    ],
  ])('are refused for %s', (_what, change, expected) => {
    expect(findError(readStorageClasses(jsonBytes({ ...storageClass, ...change })))).toBe(expected)
  })

  test('are no nodes', () => {
    const read = readStorageClasses(jsonBytes([node]))
    expect(read.ok || listRemedy(read.error)).toBe('create the file with: kubectl get storageclasses -o json')
    expect(findError(read)).toBe('/0/kind is not `StorageClass`')
  })
})
