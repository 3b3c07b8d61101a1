import { select, selectAll } from '../../src/schema/select.js'

const value = {
  volumes: { BLOB: { size: '1Gi' }, 'a/b~c': { size: '2Gi' } },
  list: [{ name: 'x' }, { name: 'y' }, 'text'],
  empty: null,
}

describe('select', () => {
  test.each<[string, readonly (readonly [string, unknown])[]]>([
    ['', [['', value]]],
    ['/empty', [['/empty', null]]],
    ['/volumes/BLOB/size', [['/volumes/BLOB/size', '1Gi']]],
    [
      '/volumes/*/size',
      [
        ['/volumes/BLOB/size', '1Gi'],
        ['/volumes/a~1b~0c/size', '2Gi'],
      ],
    ],
    ['/list/1/name', [['/list/1/name', 'y']]],
    [
      '/list/*/name',
      [
        ['/list/0/name', 'x'],
        ['/list/1/name', 'y'],
      ],
    ],
    ['/list/length', []],
    ['/list/2/name', []],
    ['/volumes/constructor', []],
    ['/empty/*', []],
    ['/nowhere/*/size', []],
  ])('%j finds its values in order', (pattern, expected) => {
    expect(select(value, pattern).map(({ pointer, value: found }) => [pointer, found])).toEqual(expected)
  })
})

test.each<[string, readonly string[], readonly string[]]>([
  ['nothing', [], []],
  ['the values of one pattern', ['/nowhere', '/volumes/BLOB', '/list/7'], ['/volumes/BLOB']],
  [
    'the values of all, by pattern',
    ['/list/1', '/volumes/*', '/empty'],
    ['/list/1', '/volumes/BLOB', '/volumes/a~1b~0c', '/empty'],
  ],
])('several patterns select %s', (_, patterns, expected) => {
  expect(selectAll(value, patterns).map(({ pointer }) => pointer)).toEqual(expected)
})
