import { isLike } from '../../src/policy/operators.js'

test.each([
  ['gp3', 'gp3', true],
  ['gp3', 'gp', false],
  ['gp', 'gp3', false],
  ['gp3', '*', true],
  ['', '*', true],
  ['', '', true],
  ['gp3', 'gp*', true],
  ['gp3', '*3', true],
  ['gp3', 'g*3', true],
  ['gp3', '*p*', true],
  ['gp3', '*x*', false],
  ['aa', 'a*a', true],
  ['a', 'a*a', false],
  ['abab', '*ab*ab', true],
  ['abab', '*aba*bab', false],
  ['a/b.c', '*.c', true],
  // A dot is a literal dot, and brackets are literal brackets.
  ['axc', 'a.c', false],
  ['a[b]', 'a[b]', true],
  ['ab', 'a**b', true],
])('%j matches %j: %j', (text, form, expected) => {
  expect(isLike(text, form)).toBe(expected)
})
