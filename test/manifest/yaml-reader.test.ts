import fc from 'fast-check'
import { judgeYaml } from '../../src/manifest/yaml-judge.js'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { cases } from '../support/cases.js'
import { listReaderErrors } from '../support/text-errors.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

describe('the reader', () => {
  test.each(exampleTexts.map(text => [/name: (\S+)/.exec(text)?.[1], text] as const))(
    'reads the example %s, as the judge does',
    (_, text) => {
      expect(readYaml(text)).toBeDefined()
      expect(listReaderErrors(text)).toEqual([])
    },
  )

  test.each([
    ['a tag', 'a: !!str b'],
    ['a merge key', 'a: &x { b: 1 }\nc: { <<: *x }'],
    ['a key twice', 'a: 1\na: 2'],
    ['__proto__', '__proto__: 1'],
    ['a second document', 'a: 1\n---\nb: 2'],
    ['a directive', '%YAML 1.2\n---\na: 1'],
    ['a directive of no meaning', '%FOO x\n---\na: 1'],
    ['the end of a document before the first', '# a\n...\nb: 1'],
    ['an unknown alias', 'a: *b'],
    ['an alias in what it stands for', 'a: &x [*x]'],
    ['aliases of aliases', 'a: &x [1]\nb: &y [*x]\nc: *y'],
    ['more aliases than the limit', `a: &x 1\nb: [${'*x, '.repeat(100)}*x]`],
    ['infinity', 'a: .inf'],
    ['a number that is too large', 'a: 1e999'],
    ['deep nesting', '['.repeat(40) + ']'.repeat(40)],
    ['a broken text', 'a: [1'],
    ['keys that are not text', '1: a'],
    ['too many values', `a: [${'1, '.repeat(10_000)}1]`],
    ['values that aliases repeat too often', `a: &x [${'1, '.repeat(999)}1]\nb: [${'*x, '.repeat(9)}*x]`],
    [
      'paths that are too long',
      `${`${'a'.repeat(98)}: { `.repeat(6)}b: [${'1, '.repeat(8000)}1]${' }'.repeat(6)}`,
    ],
    ['very many comments', `${'#\n'.repeat(60_000)}a: 1`],
    ['nothing', '# only a comment\n'],
  ])('leaves %s to the judge', (_, text) => {
    expect(readYaml(text)).toBeUndefined()
  })

  test.each([
    [
      'numbers, words and nothing',
      'a: 1\nb: -20\nc: true\nd: ~\ne:\nf: "1"\ng: 12:30\nh: no\ni: 1.2.3\nj: 0x1F\nk: 0o17',
    ],
    ['quotes, blocks and folds', "a: \"x\\ty\"\nb: 'it''s'\nc: |\n  one\n  two\nd: >-\n  one\n  two\n"],
    [
      'blocks before empty lines',
      '# a\n\nb: |\n  c\n\n  d\n\n\ne: >-\n  f\n  g\nh:\n\n  # i\n  "j": k\nl: m',
    ],
    ['an anchor and its aliases', 'a: &x { b: [1, 2] }\nc: *x\nd: [*x]'],
    ['an anchor of a block', 'a: &x\n  b: &y 1\nc: *x\nd: *y\n'],
    ['Windows line ends', 'a: 1\r\nb:\r\n  - c\r\n  - d: |\r\n      e\r\nf:\r\n'],
    ['typographic characters', 'a: 1 # from – to\nb: “c”\n'],
    ['tabs in texts and comments', 'a: b\tc #\td\ne: |\n  f\tg\n'],
    ['a thousand entries', `a:\n${'- { b: c, d: { e/f: [1, 2], "g": h } }\n'.repeat(1000)}`],
    ['JSON without spaces', '{"a":{"b":[1,"c",null]},"d":"e:f"}'],
    ['text in brackets over lines', 'a: [ b, # c\n\n  d,\n  { e: f,\n   "g h": { i: 1 } }\n  ]\nj: "k"\n'],
    ['a list in the column of its key', 'a:\n- b: 1\n  c: 2\n- d\ne: f'],
    ['lists in lists', 'a:\n- - b\n  - c\n-  d\n-\n  e: f\n- # g\n  - h\n  - i: j\n'],
    ['comments at the end of maps', 'a:\n  b: 1\n  # c\nd: 2\n# e\n'],
    ['a start of its own line', '---\n\n{ a: b,\n c: d }'],
  ])('reads %s', (_, text) => {
    expect(readYaml(text)).toBeDefined()
    expect(listReaderErrors(text)).toEqual([])
  })

  test('leaves a comment to the judge that may belong to the map above it', () => {
    const text = 'a:\n  b:\n    c: 1\n    # d\n'
    expect(readYaml(text)).toBeUndefined()
    expect(judgeYaml(text).content?.value).toEqual({ a: { b: { c: 1 } } })
  })

  test('takes nothing that the judge refuses or reads otherwise, over thousands of damaged examples', () => {
    let taken = 0
    const property = fc.property(textMutant, text => {
      if (readYaml(text) === undefined) return
      taken += 1
      expect(listReaderErrors(text)).toEqual([])
    })
    fc.assert(property, { numRuns: cases(700) })
    // One of seven or so is: far fewer would mean that they are damaged beyond reading.
    expect(taken).toBeGreaterThan(40)
  })
})
