import {
  compareVersions,
  findIntroduction,
  findKnownVersion,
  findRelease,
  firstReportedVersion,
  includes,
  introductions,
  isDocumented,
  isRoundedFrom,
  isSameVersion,
  knownVersions,
  manifestVersions,
  newestReportedVersion,
  newestVersion,
  parseVersion,
  type ServiceVersion,
  splitVersion,
} from '../../src/contract/versions.js'

const table = [
  ['exportSite', '10.4'],
  ['exportSite validate', '11.1'],
  ['exportSite success with warning', '10.8'],
  ['configure', '10.9'],
  ['userManagedStores', '10.9.1'],
  ['cloudConfig', '11.2'],
  ['deleteAll', '11.1'],
  ['update', '11.2'],
] as const

describe('the version table, §9', () => {
  test('has eight lines, in the order of the document', () => {
    expect(introductions.map(({ what, since }) => [what, since])).toEqual(table)
  })

  test.each(table)('introduces %s in %s', (what, version) => {
    expect(findIntroduction(what)).toBe(version)
  })

  test('has every version of manifests from the first `configure` on, oldest first', () => {
    const fromConfigure = table.map(([, version]) => version).filter(version => includes(version, '10.9'))
    const documented = manifestVersions.filter(isDocumented)
    expect(documented).toEqual([...new Set(fromConfigure)].sort(compareVersions))
    expect(documented).toEqual(['10.9', '10.9.1', '11.1', '11.2'])
  })

  test('has after those the reported ones, each with its source', () => {
    const reported = knownVersions.filter(({ version }) => !isDocumented(version))
    expect(reported.map(({ version }) => version)).toEqual(['11.3', '11.4', '11.5', '12.0', '12.1'])
    expect(knownVersions.map(({ reportedBy }) => reportedBy !== undefined)).toEqual(
      manifestVersions.map(version => !isDocumented(version)),
    )
    expect([firstReportedVersion, newestReportedVersion]).toEqual([
      reported.at(0)?.version,
      reported.at(-1)?.version,
    ])
  })

  test.each([
    ['11.2', '11.2'],
    ['11.3.2', '11.3'],
    ['12.1.0', '12.1'],
    ['11.6', undefined],
    ['13.0', undefined],
  ] as const)('resolves %s to %s', (version, known) => {
    expect(findKnownVersion(version)?.version).toBe(known)
  })

  test('ends with the newest version', () => {
    expect(newestVersion).toBe('11.2')
  })
})

describe('a version', () => {
  test.each([
    ['10.4', [10, 4, 0]],
    ['10.9', [10, 9, 0]],
    ['10.9.1', [10, 9, 1]],
    ['11.0', [11, 0, 0]],
    ['11.2.0', [11, 2, 0]],
    ['0.0', [0, 0, 0]],
    ['12.10.99999', [12, 10, 99999]],
  ] as const)('is parsed from %s', (text, expected) => {
    expect(parseVersion(text)).toBe(text)
    expect(splitVersion(text)).toEqual(expected)
  })

  test.each([
    '',
    '11',
    '11.',
    '.2',
    '11.2.',
    '11.2.0.1',
    'v11.2',
    '11.2-beta',
    '11.x',
    '011.2',
    '11.02',
    '11.2.01',
    '-1.2',
    '+11.2',
    '1e1.2',
    '11,2',
    ' 11.2',
    '11.2 ',
    '11.2\n',
    '11..2',
    '123456.0',
    '11.123456',
    '١١.٢',
    'latest',
  ])('is not parsed from %j', text => {
    expect(parseVersion(text)).toBeUndefined()
  })

  const ascending: readonly ServiceVersion[] = [
    '0.0',
    '0.0.1',
    '9.9.9',
    '10.4',
    '10.8',
    '10.8.1',
    '10.9',
    '10.9.1',
    '10.9.10',
    '10.10',
    '11.0',
    '11.0.2',
    '11.1',
    '11.2',
    '11.2.1',
    '11.10',
    '12.0',
    '100.0',
  ]

  test.each(ascending)('%s compares with every other according to their dates', left => {
    for (const right of ascending) {
      const expected = ascending.indexOf(left) - ascending.indexOf(right)
      expect([right, Math.sign(compareVersions(left, right))]).toEqual([right, Math.sign(expected)])
      expect([right, includes(left, right)]).toEqual([right, expected >= 0])
    }
  })

  test.each([
    ['11.2', '11.2.0'],
    ['10.9.0', '10.9'],
  ] as const)('%s and %s are the same release', (left, right) => {
    expect(compareVersions(left, right)).toBe(0)
    expect(includes(left, right) && includes(right, left)).toBe(true)
  })
})

describe('texts of versions', () => {
  test.each([
    ['11.2', '11.2.0', true],
    ['11.2.0.0', '11.2', true],
    ['11.02', '11.2', true],
    ['11.2', '11.20', false],
    ['11.2.0', '11.2.1', false],
    ['11', '11.0', true],
    ['next', 'next', true],
    ['next', 'next.0', false],
  ])('%s and %s are the same: %s', (left, right, same) => {
    expect([isSameVersion(left, right), isSameVersion(right, left)]).toEqual([same, same])
  })

  test.each([
    ['11.3', '11.3.0.5814', true],
    ['11.3', '11.30', false],
    ['11.2', '11.3.0', false],
    ['11.2', '11.2.0', true],
    ['next', 'next.1', false],
  ])('%s is %s with omitted numbers: %s', (rounded, exact, is) => {
    expect(isRoundedFrom(rounded, exact)).toBe(is)
  })

  test.each([
    ['12.0', '12.0'],
    ['11.2.0.5500', '11.2'],
    ['11.0.0.2632', '11.0'],
    ['10.9.1', '10.9.1'],
    ['10.9.1.27460', '10.9.1'],
    ['11.4.2', '11.4'],
    ['11.2-patch1', '11.2'],
    ['11', undefined],
    ['11.2b', undefined],
    ['v11.2', undefined],
    ['latest', undefined],
    ['', undefined],
  ])('%s is an image of version %s', (text, version) => {
    expect(findRelease(text)).toBe(version)
  })
})
