import { formatAll, formatAlternatives, formatShortList, quote } from '../../src/diagnostics/words.js'

describe('the functions for wording', () => {
  test('format names as code', () => {
    expect(quote('a b')).toBe('`a b`')
  })

  test.each([
    [[], '', ''],
    [['a'], '`a`', '`a`'],
    [['a', 'b'], '`a` and `b`', '`a` or `b`'],
    [['a', 'b', 'c'], '`a`, `b`, and `c`', '`a`, `b`, or `c`'],
  ])('join %j', (names, all, one) => {
    expect(formatAll(names)).toBe(all)
    expect(formatAlternatives(names)).toBe(one)
    expect(formatShortList(names)).toBe(one)
  })

  test('truncate a list that is too long to read', () => {
    const names = Array.from({ length: 15 }, (_, index) => `n${index}`)
    expect(formatShortList(names.slice(0, 14))).toBe(formatAlternatives(names.slice(0, 14)))
    expect(formatShortList(names)).toMatch(/^(`n\d+`, ){13}`n13` and 1 more$/)
  })
})
