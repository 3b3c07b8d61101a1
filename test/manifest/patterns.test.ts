import { isAtLength } from '../support/cases.js'
import { bounded, isLinear, literals, patterns, published, slowPatterns, slowTexts } from './patterns.js'

test('the patterns are found in the sources', () => {
  expect(published.size).toBeGreaterThanOrEqual(8)
  expect(literals.length).toBeGreaterThanOrEqual(40)
  expect(literals.filter(({ source }) => bounded.has(source))).toHaveLength(bounded.size)
})

test.each(
  patterns.filter(({ source }) => !bounded.has(source)).map(pattern => [String(pattern), pattern] as const),
)('%s takes twice the steps for twice the text', (_, pattern) => {
  expect(isLinear(pattern)).toBe(true)
})

test.each(patterns.map(pattern => [String(pattern), pattern] as const))(
  '%s matches the longest text that it is used for in time',
  (_, pattern) => {
    // With a pattern that is not linear, these texts would take hours.
    const length = bounded.get(pattern.source) ?? (isAtLength ? 10_000 : 2_000)
    for (const text of slowTexts(pattern, length)) pattern[Symbol.search](text)
  },
)

describe('a pattern that is not linear is detected:', () => {
  test.each(slowPatterns)('%s', (_, pattern) => {
    expect(isLinear(pattern)).toBe(false)
  })
})
