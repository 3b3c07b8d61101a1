import fc from 'fast-check'
import type { Fix } from '../../src/diagnostics/catalog/entry.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { fixManifest } from '../../src/manifest/fix-manifest.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { cases } from '../support/cases.js'
import { aSource, codeAndPointer } from '../support/changed-manifest.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

const finding = (pointer: JsonPointer, fix: Fix): Diagnostic => ({
  code: 'manifest/unknown-field',
  severity: 'error',
  message: '',
  pointer,
  fix,
})

/** Decodes with the byte order mark, which counts as a byte of the text. */
const decoded = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const mendedText = (text: string, ...findings: readonly Diagnostic[]) =>
  decoded(fixManifest(aSource(text), [], findings).source.bytes)

const rename = (to: string): Fix => ({ kind: 'rename', to })
const replace = (by: string | number): Fix => ({ kind: 'replace', by })
const list: Fix = { kind: 'list' }

describe('a fix of', () => {
  test.each<[string, string, JsonPointer, Fix, string]>([
    [
      'a key',
      '# head\nemial:   a  # why\nb: 1\n',
      '/emial',
      rename('email'),
      '# head\nemail:   a  # why\nb: 1\n',
    ],
    ['a key in quotes', '{"emial": 1}', '/emial', rename('email'), '{"email": 1}'],
    ['a key of a flow map', 'a: {x : 1,y: 2}', '/a/x', rename('z'), 'a: {z : 1,y: 2}'],
    [
      'a value',
      'size: 16gi   # much\r\nb: 1\r\n',
      '/size',
      replace('16Gi'),
      'size: 16Gi   # much\r\nb: 1\r\n',
    ],
    ['a value in a list', 'a: [x, y]', '/a/1', replace('z'), 'a: [x, z]'],
    ['a value in single quotes', "a: 'x'", '/a', replace("it's"), "a: 'it''s'"],
    ['a value in double quotes', 'a: "x"', '/a', replace('y'), 'a: "y"'],
    [
      'a number that should be text',
      'version: 11.20 # new',
      '/version',
      replace('11.20'),
      'version: "11.20" # new',
    ],
    ['text that would have another type', 'a: x', '/a', replace('true'), 'a: "true"'],
    ['text that would begin a comment', 'a: x', '/a', replace('a #b'), 'a: "a #b"'],
    ['a value by a number', 'a: "5"', '/a', replace(5), 'a: 5'],
    ['the value of an anchor', 'a: &x 1gi\nb: *x', '/b', replace('1Gi'), 'a: &x 1Gi\nb: *x'],
    [
      'a key in the value of an anchor',
      'a: &x {sz: 1}\nb: *x',
      '/b/sz',
      rename('size'),
      'a: &x {size: 1}\nb: *x',
    ],
    ['a map in flow style', 'a: { b: 1 } # why', '/a', list, 'a: [{ b: 1 }] # why'],
    [
      'a map in block style, with comments and a text of several lines',
      'a: # why\n  b: |\n    x\n\n    y\n  # c\n  c: 1\nd: 2\n',
      '/a',
      list,
      'a: # why\n  - b: |\n      x\n\n      y\n    # c\n    c: 1\nd: 2\n',
    ],
    ['a map with Windows line ends', 'a:\r\n  b: 1\r\n  c: 1', '/a', list, 'a:\r\n  - b: 1\r\n    c: 1'],
    ['a map with an alias', 'a: &x\n  b: 1\nc: *x', '/c', list, 'a: &x\n  - b: 1\nc: *x'],
    ['a map in a list', 'a:\n  - b: 1\n    c: 1', '/a/0', list, 'a:\n  - - b: 1\n      c: 1'],
    ['a text with a byte order mark', '\ufeffa: x\n', '/a', replace('y'), '\ufeffa: y\n'],
    ['a value after a surrogate pair', 'a: 😀\nb: x\n', '/b', replace('y'), 'a: 😀\nb: y\n'],
  ])('%s leaves every other byte', (_, text, pointer, fix, expected) => {
    expect(mendedText(text, finding(pointer, fix))).toBe(expected)
  })

  test.each<[string, string, JsonPointer, Fix]>([
    ['a name that exists already', 'emial: 1\nemail: 2', '/emial', rename('email')],
    ['a field that does not exist', 'a: 1', '/b', replace('x')],
    ['a text that cannot be read', 'a: [', '/a', replace('x')],
  ])('%s is not made', (_, text, pointer, fix) => {
    expect(mendedText(text, finding(pointer, fix))).toBe(text)
  })

  test('a map and a value in it is made in one pass', () => {
    const findings = [finding('/a', list), finding('/a/b', list), finding('/a/b/c', replace('y'))]
    expect(mendedText('a:\n  b:\n    c: x\n', ...findings)).toBe('a:\n  - b:\n      - c: y\n')
  })

  test('several values is made at once', () => {
    const text = 'a: 1gi\nbb: 2\nc: 3gi\n'
    const findings = [
      finding('/a', replace('1Gi')),
      finding('/bb', rename('b')),
      finding('/c', replace('3Gi')),
    ]
    expect(mendedText(text, ...findings)).toBe('a: 1Gi\nb: 2\nc: 3Gi\n')
    expect(fixManifest(aSource(text), [], findings).fixed).toHaveLength(3)
  })

  test('one value is made even if another fix cannot be made', () => {
    const text = 'a: 1gi\nbb: 2\nb: 2\nc: 3gi\nd: x\n'
    const findings = [
      finding('/a', replace('1Gi')),
      finding('/bb', rename('b')),
      finding('/c', replace('3Gi')),
      finding('/gone', replace('y')),
      finding('/d', replace('y')),
    ]
    expect(mendedText(text, ...findings)).toBe('a: 1Gi\nbb: 2\nb: 2\nc: 3Gi\nd: y\n')
    expect(fixManifest(aSource(text), [], findings).fixed.map(({ pointer }) => pointer)).toEqual([
      '/a',
      '/c',
      '/d',
    ])
  })

  test('an overlay changes only its own text, at its own position', () => {
    const base = aSource('spec:\n  dataStores:\n    - { clientPath: /a, tpye: folder }\n', 'base.yaml')
    const site = aSource('extends: base.yaml\nspec:\n  dataStores:\n    - { clientPath: /b, tpye: folder }\n')
    const findings = [
      finding('/spec/dataStores/0/tpye', rename('type')),
      finding('/spec/dataStores/1/tpye', rename('type')),
    ]
    const { source, fixed } = fixManifest(site, [base], findings)
    expect(fixed).toHaveLength(1)
    expect(new TextDecoder().decode(source.bytes)).toBe(
      'extends: base.yaml\nspec:\n  dataStores:\n    - { clientPath: /b, type: folder }\n',
    )
  })

  test('a damaged example changes no line without a diagnostic, and removes the diagnostics that it fixed', () => {
    let made = 0
    const typo = fc
      .tuple(fc.constantFrom(...exampleTexts), fc.nat(), fc.constantFrom('upper', 'double'))
      .map(([text, at, way]) => {
        const words = [...text.matchAll(/\b[A-Za-z]{5,}\b(?=:)|\b\d+Gi\b/g)]
        const { 0: word = '', index = 0 } = words[at % words.length] ?? {}
        const written = way === 'upper' ? word.toUpperCase() : word.replace(/.$/, '$&$&')
        return text.slice(0, index) + written + text.slice(index + word.length)
      })
    const property = fc.property(fc.oneof(typo, textMutant), text => {
      const before = loadManifest(aSource(text)).diagnostics
      const { source, fixed } = fixManifest(aSource(text), [], before)
      made += fixed.length
      const lines = (some: string) => some.split('\n')
      const after = decoded(source.bytes)
      const touched = new Set(fixed.map(({ place }) => place?.start.line))
      const expected = lines(decoded(new TextEncoder().encode(text)))
      const found = lines(after)
      expect(found.filter((_, index) => !touched.has(index + 1))).toEqual(
        expected.filter((_, index) => !touched.has(index + 1)),
      )
      // A field that got its right name may have mistakes of its own.
      const said = loadManifest(source).diagnostics.map(codeAndPointer)
      for (const one of fixed) expect(said).not.toContain(codeAndPointer(one))
    })
    fc.assert(property, { numRuns: cases(50) })
    expect(made).toBeGreaterThan(1)
  })
})
