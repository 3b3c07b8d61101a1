import fc from 'fast-check'
import { encodeJson, type WireValue } from '../../../src/client/wire/json-bytes.js'
import { Secret } from '../../../src/secrets/secret.js'
import { anyCharacter, anyText } from '../../support/any-text.js'

const secret = (text: string) => new Secret(Buffer.from(text))

test('a value without secrets is encoded as by JSON.stringify if it is ASCII', () => {
  const value = { a: ['\u007f"\\\n', 1.5, true, null, {}, []] }
  expect(encodeJson(value).toString()).toBe(JSON.stringify(value))
})

test('any value without secrets is unchanged after decoding, and its encoding is ASCII', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), value => {
      const encoded = encodeJson(value as WireValue)
      expect(JSON.stringify(JSON.parse(encoded.toString('latin1')))).toBe(JSON.stringify(value))
      expect(encoded.every(byte => byte < 0x80)).toBe(true)
    }),
  )
})

test('letters beyond ASCII are escaped, also in names', () => {
  expect(encodeJson({ ä: '🗺' }).toString()).toBe('{"\\u00e4":"\\ud83d\\uddfa"}')
})

test.each([
  '',
  'plain',
  '"',
  '\\',
  '\\"',
  '\\u0041',
  '</script>',
  "'; --",
  '@file',
  'ÄÖÜ ß 漢字 🗺️',
  '\u007f\u0085\u2028\u2029\ufeff',
])('the secret %j is encoded as by JSON.stringify', text => {
  expect(encodeJson(secret(text)).toString()).toBe(JSON.stringify(text))
})

test('any secret is unchanged after decoding, including control characters', () => {
  fc.assert(
    fc.property(anyText(), text => {
      expect(JSON.parse(encodeJson(secret(text)).toString())).toBe(text)
    }),
  )
})

test.each(Array.from({ length: 32 }, (_, code) => code))('control character %i is escaped', code => {
  const bytes = encodeJson(secret(`a${String.fromCharCode(code)}b`))
  expect(bytes.every(byte => byte >= 0x20)).toBe(true)
  expect(JSON.parse(bytes.toString())).toBe(`a${String.fromCharCode(code)}b`)
})

test('a secret that is not UTF-8 is encoded byte for byte', () => {
  expect(encodeJson(new Secret(Buffer.from([0xff, 0xc3, 0x28])))).toEqual(
    Buffer.from([0x22, 0xff, 0xc3, 0x28, 0x22]),
  )
})

test('secrets are encoded as strings at any depth', () => {
  const value = (one: WireValue, other: WireValue): WireValue => ({
    a: [one, { 'key "x"': other }],
    b: [],
    c: {},
    d: [null, true, 1.5, 'text'],
  })
  const [one, other] = ['first "secret"', 'zweites Geheimniß']
  expect(encodeJson(value(secret(one), secret(other))).toString()).toBe(JSON.stringify(value(one, other)))
})

test('encoding leaves a secret intact', () => {
  const kept = secret('keep me')
  encodeJson([kept])
  expect(kept.bytes.toString()).toBe('keep me')
})
