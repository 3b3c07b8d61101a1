import fc from 'fast-check'
import { readStorageClasses } from '../../src/plan/storage-classes.js'
import { describeListFault } from '../../src/report/storage-preview.js'
import { cases } from '../support/cases.js'
import { aStorageClassObject, jsonBytes } from '../support/storage-class.js'

const storageClass = aStorageClassObject({ name: 'c1' })
const other = aStorageClassObject({ name: 'c2' })

const namesIn = (value: unknown) => {
  const read = readStorageClasses(jsonBytes(value))
  return read.ok ? read.value.map(({ name }) => name) : read.error
}

/** The error as one line with its place and problem. */
function findError(read: ReturnType<typeof readStorageClasses>): string {
  return read.ok ? 'nothing' : `${read.error.pointer} ${describeListFault(read.error.fault)}`
}

describe('storage classes are read from', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['the output of kubectl', { apiVersion: 'v1', kind: 'List', items: [storageClass, other] }, ['c1', 'c2']],
    [
      'the response of an API server, whose items have no kind',
      { kind: 'StorageClassList', items: [{ ...storageClass, kind: undefined, apiVersion: undefined }] },
      ['c1'],
    ],
    ['only the items', [storageClass, other], ['c1', 'c2']],
    ['one class', storageClass, ['c1']],
    ['the minimum', [{ metadata: { name: 'c1' } }], ['c1']],
    [
      'null for absent values',
      [
        {
          metadata: { name: 'c1' },
          allowVolumeExpansion: null,
          volumeBindingMode: null,
          reclaimPolicy: null,
        },
      ],
      ['c1'],
    ],
    ['an empty list', { kind: 'List', items: [] }, []],
  ])('%s', (_what, value, names) => {
    expect(namesIn(value)).toEqual(names)
  })

  test('a text with a byte order mark', () => {
    expect(readStorageClasses(new Uint8Array([0xef, 0xbb, 0xbf, ...jsonBytes(storageClass)])).ok).toBe(true)
  })

  test('a class without details, with the defaults of Kubernetes', () => {
    const { kind, metadata } = storageClass
    expect(readStorageClasses(jsonBytes({ kind: 'List', items: [{ kind, metadata }] }))).toEqual({
      ok: true,
      value: [
        {
          name: 'c1',
          provisioner: '',
          allowVolumeExpansion: false,
          volumeBindingMode: 'Immediate',
          reclaimPolicy: 'Delete',
        },
      ],
    })
  })

  test('and nothing else of them is stored', () => {
    const said = {
      provisioner: 'ebs.csi.aws.com',
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Retain',
    }
    const read = readStorageClasses(jsonBytes({ ...storageClass, ...said }))
    expect(read).toEqual({ ok: true, value: [{ name: 'c1', ...said }] })
  })
})

describe('anything else is rejected, with the place of the error:', () => {
  test.each<[string, unknown, string]>([
    ['a number', 7, ' is not a list or an object'],
    ['null', null, ' is not a list or an object'],
    ['another object', { kind: 'Pod' }, '/kind is not `List` or `StorageClass`'],
    [
      'a provisioner that is not text',
      { ...storageClass, provisioner: 1 },
      '/provisioner is not a word of at most 253 characters',
    ],
    ['no kind', { items: [storageClass] }, '/kind is not `List` or `StorageClass`'],
    [
      'a list of nodes',
      { kind: 'List', items: [{ ...storageClass, kind: 'Node' }] },
      '/items/0/kind is not `StorageClass`',
    ],
    [
      'a list with the kind of nodes',
      { kind: 'NodeList', items: [] },
      '/kind is not `List` or `StorageClass`',
    ],
    ['no items', { kind: 'List' }, '/items is not a list'],
    ['an element that is null', [null], '/0 is not an object'],
    ['an element that is a list', { kind: 'List', items: [[storageClass]] }, '/items/0 is not an object'],
    ['a pod', [storageClass, { ...other, kind: 'Pod' }], '/1/kind is not `StorageClass`'],
    ['no metadata', [{ kind: 'StorageClass' }], '/0/metadata is not an object'],
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
    [
      'a name twice',
      [storageClass, other, storageClass],
      '/2/metadata/name repeats the name of an earlier element',
    ],
    [
      'an expansion that is a text',
      { ...storageClass, allowVolumeExpansion: 'yes' },
      '/allowVolumeExpansion is not true or false',
    ],
    [
      'a mode that is a number',
      { ...storageClass, volumeBindingMode: 1 },
      '/volumeBindingMode is not a word of at most 253 characters',
    ],
    [
      'a policy that is a list',
      { ...storageClass, reclaimPolicy: [] },
      '/reclaimPolicy is not a word of at most 253 characters',
    ],
    [
      'a policy that is long',
      { ...storageClass, reclaimPolicy: 'x'.repeat(254) },
      '/reclaimPolicy is not a word of at most 253 characters',
    ],
    ['too many classes', Array.from({ length: 20_001 }, () => 0), ' has more than 20000 elements'],
  ])('%s', (_what, value, expected) => {
    expect(findError(readStorageClasses(jsonBytes(value)))).toBe(expected)
  })

  test.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(), ' is empty'],
    [
      'a table for terminals',
      new TextEncoder().encode('NAME  PROVISIONER\nc1  ebs.csi.aws.com\n'),
      ' is not valid JSON in UTF-8',
    ],
    [
      'a byte that is not UTF-8',
      new Uint8Array([
        ...jsonBytes(storageClass).subarray(0, -1),
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
    ['half of a list', jsonBytes([storageClass]).subarray(0, 50), ' is not valid JSON in UTF-8'],
    [
      'UTF-16',
      new Uint8Array(Buffer.from(`\uFEFF${JSON.stringify(storageClass)}`, 'utf16le')),
      ' is not valid JSON in UTF-8',
    ],
    [
      'a hundred thousand levels',
      new TextEncoder().encode('['.repeat(100_000)),
      ' is not valid JSON in UTF-8',
    ],
    [
      'many levels that end',
      new TextEncoder().encode(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      '/0 is not an object',
    ],
    ['more than the limit', new Uint8Array(64 * 1024 * 1024 + 1), ' is larger than 64 MiB'],
  ])('%s', (_what, bytes, expected) => {
    expect(findError(readStorageClasses(bytes))).toBe(expected)
  })
})

test('no JSON value makes reading throw', () => {
  const key = fc.constantFrom('kind', 'items', 'metadata', 'name', 'volumeBindingMode', '__proto__')
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('StorageClass', 'List', 'c1', 'Immediate', 1, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(value, some => {
      for (const content of [some, [some], { ...storageClass, metadata: some }])
        expect(readStorageClasses(jsonBytes(content) ?? new Uint8Array())).toHaveProperty('ok')
    }),
    { numRuns: cases(250) },
  )
})
