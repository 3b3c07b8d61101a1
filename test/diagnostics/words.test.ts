import { allOf, oneOf, quoted, shortList } from '../../src/diagnostics/words.js'

describe('words', () => {
  test('put names in code marks', () => {
    expect(quoted('a b')).toBe('`a b`')
  })

  test.each([
    [[], '', ''],
    [['a'], '`a`', '`a`'],
    [['a', 'b'], '`a` and `b`', '`a` or `b`'],
    [['a', 'b', 'c'], '`a`, `b`, and `c`', '`a`, `b`, or `c`'],
  ])('join %j', (names, all, one) => {
    expect(allOf(names)).toBe(all)
    expect(oneOf(names)).toBe(one)
    expect(shortList(names)).toBe(one)
  })

  test('cut a list that nobody reads to the end', () => {
    const names = Array.from({ length: 15 }, (_, index) => `n${index}`)
    expect(shortList(names.slice(0, 14))).toBe(oneOf(names.slice(0, 14)))
    expect(shortList(names)).toMatch(/^(`n\d+`, ){13}`n13` and 1 more$/)
  })
})
