import { limits, passwordNeeds } from '../../src/contract/field-row.js'

describe('the limits, §8', () => {
  test('are those in the table', () => {
    expect(limits).toEqual({ usernameCharacters: 6, passwordCharacters: 8, volumes: 8 })
  })

  test.each([
    ['letter', 'A', true],
    ['letter', 'Z', true],
    ['letter', 'a', true],
    ['letter', 'z', true],
    ['letter', '12345678', false],
    ['letter', 'é', false],
    ['letter', '@[`{_', false],
    ['digit', '0', true],
    ['digit', '9', true],
    ['digit', 'abcdefgh', false],
    ['digit', '٣', false],
  ] as const)('find a password %s in %s: %s', (need, text, found) => {
    expect(passwordNeeds[need].test(text)).toBe(found)
  })

  test('require only a letter and a digit in a password', () => {
    expect(Object.keys(passwordNeeds)).toEqual(['letter', 'digit'])
  })
})
