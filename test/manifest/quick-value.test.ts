import fc from 'fast-check'
import { listPointers } from '../../src/manifest/effective.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isClean } from '../../src/manifest/quick-check.js'
import { readQuickly, readWithLines } from '../../src/manifest/quick-value.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

/** What the judge of meaning says: a value, or that there is a problem. */
function judged(text: string) {
  const { document, diagnostics } = parseYaml(aSource(text))
  return diagnostics.length > 0 ? 'a problem' : document?.value
}

/** The line of every field, found quickly and by the judge. */
function linesOf(text: string) {
  const read = readWithLines(text)
  return (
    read && Object.fromEntries([...listPointers(read.value, '')].map((at, index) => [at, read.lines[index]]))
  )
}

function judgedLines(text: string) {
  const { document } = parseYaml(aSource(text))
  const pointers = document === undefined ? [] : [...listPointers(document.value, '')]
  return Object.fromEntries(pointers.map(at => [at, document?.place(at, 'key').start.line]))
}

describe('the quick way', () => {
  test.each(exampleTexts.map(text => [/name: (\S+)/.exec(text)?.[1], text] as const))(
    'takes the example %s, as the judge does',
    (_, text) => {
      expect(readQuickly(text)?.value).toEqual(judged(text))
      expect(isClean(aSource(text))).toBe(true)
      expect(linesOf(text)).toBeDefined()
      expect(linesOf(text)).toEqual(judgedLines(text))
    },
  )

  test.each([
    ['a tag', 'a: !!str b'],
    ['a merge key', 'a: &x { b: 1 }\nc: { <<: *x }'],
    ['a key twice', 'a: 1\na: 2'],
    ['__proto__', '__proto__: 1'],
    ['a second document', 'a: 1\n---\nb: 2'],
    ['a directive', '%YAML 1.2\n---\na: 1'],
    ['an unknown alias', 'a: *b'],
    ['an alias in what it stands for', 'a: &x [*x]'],
    ['aliases of aliases', 'a: &x [1]\nb: &y [*x]\nc: *y'],
    ['a number that is none in other tools', 'a: 0777'],
    ['a tab', 'a:\tb'],
    ['a template', '{{ x }}'],
    ['deep nesting', '['.repeat(40) + ']'.repeat(40)],
    ['a broken text', 'a: [1'],
    ['keys that are not text', '1: a'],
    ['very many values', `a: [${'1, '.repeat(9500)}1]`],
    ['values that aliases repeat very often', `a: &x [${'1, '.repeat(999)}1]\nb: [${'*x, '.repeat(9)}*x]`],
    ['very long paths', `${`${'a'.repeat(98)}: { `.repeat(6)}b: [${'1, '.repeat(8000)}1]${' }'.repeat(6)}`],
    ['very many comments', `${'#\n'.repeat(60_000)}a: 1`],
  ])('leaves %s to the judge', (_, text) => {
    expect(readQuickly(text)?.value).toBeUndefined()
  })

  test.each([
    ['numbers, words and nothing', 'a: 1\nb: -20\nc: true\nd: ~\ne:\nf: "1"\ng: 12:30\nh: no\ni: 1.2.3'],
    ['quotes, blocks and folds', "a: \"x\\ty\"\nb: 'it''s'\nc: |\n  one\n  two\nd: >-\n  one\n  two\n"],
    ['an anchor and its alias', 'a: &x { b: [1, 2] }\nc: *x'],
    ['Windows line ends', 'a: 1\r\nb:\r\n  - c\r\n'],
    ['a thousand entries', `a:\n${'- { b: c, d: { e/f: [1, 2], "g": h } }\n'.repeat(1000)}`],
    ['JSON without spaces', '{"a":{"b":[1,"c",null]},"d":"e:f"}'],
    ['text in brackets over lines', 'a: [ b, # c\n\n  d,\n  { e: f }\n  ]\ng: "h"\n'],
    ['a list in the column of its key', 'a:\n- b: 1\n  c: 2\n- d\ne: f'],
  ])('reads %s alike', (_, text) => {
    expect(readQuickly(text)?.value).toEqual(judged(text))
    expect(readQuickly(text)?.value).toBeDefined()
  })

  test.each([
    ['lists', 'a:\n- b: 1\n  c: 2\n-  d\n-\n  e: f\n- # g\n  - h\n  - i: j\n', true],
    ['brackets over lines', 'a: [ b, # c\n\n  d,\n  { e: f,\n   "g h": { i: 1 } }\n  ]\ng: "h"\n', true],
    ['blocks of text', '# a\n\nb: |\n  c\n\n  d\n\ne: >-\n  f\n  g\nh:\n\n  # i\n  "j": k\nl: m', true],
    ['a start of its own line', '---\n\n{ a: b,\n c: d }', true],
    ['Windows line ends', 'a: 1\r\nb:\r\n  - c\r\n  - d: e\r\n', true],
    ['numbers as keys, which an object lists first', 'a: 1\n"1": 2\n', false],
    ['an alias', 'a: &x { b: 1 }\nc: *x', false],
    ['an item without a value', 'a:\n-\n- b\n', false],
  ])('finds the lines of %s as the judge does, or leaves them to it', (_, text, isFound) => {
    expect(readQuickly(text)?.value).toEqual(judged(text))
    expect(linesOf(text)).toEqual(isFound ? judgedLines(text) : undefined)
  })

  test('never takes what the judge refuses or reads otherwise, over hundreds of damaged examples', () => {
    let taken = 0
    const property = fc.property(textMutant, text => {
      const value = readQuickly(text)?.value
      if (value === undefined) return
      taken += 1
      expect(value).toEqual(judged(text))
      const lines = linesOf(text)
      if (lines !== undefined) expect(lines).toEqual(judgedLines(text))
    })
    fc.assert(property, { numRuns: cases(350) })
    // One of seven or so is: far fewer would mean that they are damaged beyond reading.
    expect(taken).toBeGreaterThan(20)
  })

  test('calls clean only what is without a word', () => {
    let clean = 0
    const property = fc.property(textMutant, text => {
      if (!isClean(aSource(text))) return
      clean += 1
      expect(loadManifest(aSource(text)).diagnostics).toEqual([])
    })
    fc.assert(property, { numRuns: cases(500) })
    // One of 25 or so is.
    expect(clean).toBeGreaterThan(3)
  })
})
