import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { canonical, digestCanonical } from '../../src/plan/canonical.js'

/** The same value with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  )
}

test.each([
  [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
  [[{ b: 1, a: 2 }, 'x'], '[{"a":2,"b":1},"x"]'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  ['text', '"text"'],
  [null, 'null'],
  [{}, '{}'],
  [{ ä: 1, z: 2, B: 3, a: 4 }, '{"B":3,"a":4,"z":2,"ä":1}'],
  // Integer keys come first, by their value, as in every object: stored digests must not change.
  [{ '-': 1, 10: { b: 1, a: 2 }, 9: 3 }, '{"9":3,"10":{"a":2,"b":1},"-":1}'],
  [JSON.parse('{"b":1,"__proto__":{"d":1,"c":2},"a":3}'), '{"__proto__":{"c":2,"d":1},"a":3,"b":1}'],
])('%j has one canonical text', (value, text) => {
  expect(canonical(value)).toBe(text)
})

test('the order of keys makes no difference, and the value is preserved', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(canonical(turned(value))).toBe(canonical(value))
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test.each([
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: '1' }],
  [{ a: null }, {}],
  [{ a: [] }, { a: {} }],
  ['', null],
])('%j and %j have different texts', (one, other) => {
  expect(canonical(one)).not.toBe(canonical(other))
  expect(digestCanonical(one)).not.toBe(digestCanonical(other))
})

test('a digest is the SHA-256 of that text', () => {
  const hex = createHash('sha256').update('{"a":"ä","b":1}').digest('hex')
  expect(digestCanonical({ b: 1, a: 'ä' })).toBe(`sha256:${hex}`)
})
