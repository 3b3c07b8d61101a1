import fc from 'fast-check'
import { encodeJson } from '../../../src/client/wire/json-bytes.js'
import { loadManifest } from '../../../src/manifest/load-manifest.js'
import { isSameNumber } from '../../../src/manifest/rules/numbers-are-sent-as-written.js'
import type { JsonValue } from '../../../src/schema/json-schema.js'
import { aManifest, aSource } from '../../support/changed-manifest.js'

/** A valid manifest, with this YAML text as `systemProperties`. */
const written = (properties: string) =>
  aSource(JSON.stringify(aManifest({ '/spec/systemProperties': 'HERE' })).replace('"HERE"', properties))

const found = (properties: string) =>
  loadManifest(written(properties)).diagnostics.map(({ code, pointer }) => `${code} ${pointer}`)

const sent = (properties: string) => {
  const loaded = loadManifest(written(properties))
  if (!loaded.ok) return undefined
  return encodeJson(loaded.value.organization.systemProperties as JsonValue & {}).toString()
}

describe('a number under `systemProperties`', () => {
  test.each(['0', '7', '-12', '1.5', '-0.25', '123456789012345', '1e+21', '9007199254740992'])(
    '%s is sent as it is written, since JSON has the same spelling',
    number => {
      expect([found(`{ a: ${number} }`), sent(`{ a: ${number} }`)]).toEqual([[], `{"a":${number}}`])
    },
  )

  test.each([
    ['1.10', '1.1'],
    ['1.0', '1'],
    ['010', '10'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['1e3', '1000'],
    ['1E-7', '1e-7'],
    ['0x1F', '31'],
    ['0o17', '15'],
    ['100000000000000000000000', '1e+23'],
  ])('%s that is sent as %s causes a warning', (number, wire) => {
    expect([found(`{ a: ${number} }`), sent(`{ a: ${number} }`)]).toEqual([
      ['manifest/number-respelled /spec/systemProperties/a'],
      `{"a":${wire}}`,
    ])
  })

  test.each([
    '12345678901234567890',
    '9007199254740993',
    '0.12345678901234567890',
    '1e-400',
    '-3.00000000000000000001',
    '0xFFFFFFFFFFFFFFFFFF',
  ])('%s that would lose digits is an error', number => {
    expect(found(`{ a: ${number} }`)).toEqual(['manifest/number-loses-digits /spec/systemProperties/a'])
  })

  test('is checked at any depth, and once if it has aliases', () => {
    expect(found('{ a: [&x 1.10, { b: *x }], c: &y [2.50], d: *y }')).toEqual([
      'manifest/number-respelled /spec/systemProperties/a/0',
      'manifest/number-respelled /spec/systemProperties/c/0',
    ])
  })

  test('in quotes is text, and is sent with every digit', () => {
    const properties = '{ a: "1.10", b: "12345678901234567890" }'
    expect([found(properties), sent(properties)]).toEqual([[], '{"a":"1.10","b":"12345678901234567890"}'])
  })
})

test('a number under `extra` is checked in the same way', () => {
  const source = aSource(JSON.stringify(aManifest({ '/spec/extra': 'HERE' })).replace('"HERE"', '{ a: 010 }'))
  expect(loadManifest(source).diagnostics.map(({ code }) => code)).toEqual([
    'extra/passed-through',
    'manifest/number-respelled',
  ])
})

test('two spellings are the same number exactly if exact arithmetic says so', () => {
  const digits = fc.stringMatching(/^\d{1,25}$/)
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: 0, max: 9 }), (whole, fraction, zeros) => {
      const text = `${whole}.${fraction}`
      expect(isSameNumber(text, `${text}${'0'.repeat(zeros)}`)).toBe(true)
      expect(isSameNumber(text, `000${whole}${fraction}e-${fraction.length}`)).toBe(true)
      expect(isSameNumber(text, `${text}1`)).toBe(false)
      expect(isSameNumber(`-${text}`, text)).toBe(/^[0.]+$/.test(text))
    }),
  )
})
