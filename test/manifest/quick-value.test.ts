import fc from 'fast-check'
import { listPointers } from '../../src/manifest/effective.js'
import { type KnownPart, Memory } from '../../src/manifest/known-parts.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isClean } from '../../src/manifest/quick-check.js'
import { readQuickly, readWithLines } from '../../src/manifest/quick-value.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { readValue } from '../../src/schema/member.js'
import { allCases } from '../support/cases.js'
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
      expect(readQuickly(text)).toEqual(judged(text))
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
    expect(readQuickly(text)).toBeUndefined()
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
    expect(readQuickly(text)).toEqual(judged(text))
    expect(readQuickly(text)).toBeDefined()
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
    expect(readQuickly(text)).toEqual(judged(text))
    expect(linesOf(text)).toEqual(isFound ? judgedLines(text) : undefined)
  })

  test('never takes what the judge refuses or reads otherwise, over hundreds of damaged examples', () => {
    let taken = 0
    const property = fc.property(textMutant, text => {
      const value = readQuickly(text)
      if (value === undefined) return
      taken += 1
      expect(value).toEqual(judged(text))
      const lines = linesOf(text)
      if (lines !== undefined) expect(lines).toEqual(judgedLines(text))
    })
    fc.assert(property, { numRuns: allCases(350) })
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
    fc.assert(property, { numRuns: allCases(500) })
    // One of 25 or so is.
    expect(clean).toBeGreaterThan(3)
  })
})

describe('parts that manifests have in common', () => {
  const readBoth = (before: string, text: string) => {
    const parts = new Memory<KnownPart>()
    return [readQuickly(before, parts), readQuickly(text, parts)] as const
  }
  const volumes = 'spec:\n  volumes:\n    A: { size: 1Gi }\n    B:\n      size: 2Gi\n'

  test('are the same object in all of them', () => {
    const [first, second] = readBoth(`${volumes}  profile: a\n`, `${volumes}  profile: b\n`)
    expect(first).toHaveProperty('spec.profile', 'a')
    expect(second).toHaveProperty('spec.profile', 'b')
    expect(readValue(second, '/spec/volumes')).toBe(readValue(first, '/spec/volumes'))
  })

  test('are so within a part that differs', () => {
    const [first, second] = readBoth(volumes, volumes.replace('1Gi', '3Gi'))
    expect(second).toHaveProperty('spec.volumes.A.size', '3Gi')
    expect(readValue(second, '/spec/volumes/B')).toBe(readValue(first, '/spec/volumes/B'))
  })

  test.each([
    ['an end without a line break', 'a:\n  b:\n    c: 1\n', 'a:\n  b:\n    c: 1'],
    ['another depth', 'a:\n  b:\n    c: 1\n', 'a:\n  x:\n   b:\n     c: 1\n'],
    ['another column', 'a:\n  b: |\n     c\n', 'a:\n    b: |\n     c\n'],
    ['a list in the column of its key', 'a:\n  b:\n  - c\n  d: e\n', 'a:\n  b:\n  - c\n  - d\n'],
    ['a list that ends sooner', 'a:\n  b:\n  - c\n  - d\n', 'a:\n  b:\n  - c\n'],
    ['comments behind it', 'a:\n  b: { c: 1 }\n  # d\n\ne: f', 'a:\n  b: { c: 1 }\n  # d\n\n  g: h'],
    ['an alias of another value', 'x: &x 1\na:\n  b: { c: *x }\n', 'x: &x 2\na:\n  b: { c: *x }\n'],
    ['an anchor in it', 'a:\n  b:\n    c: &x 1\n', 'a:\n  b:\n    c: &x 1\nd: *x\n'],
    ['a key that is missing below', 'a:\n  b:\n  c: 1\n', 'a:\n  b:\n   c: 1\n'],
    [
      'text over several lines',
      'a:\n  b:\n    c: >-\n      d\n      e\n',
      'a:\n  b:\n    c: >-\n      d\n      f\n',
    ],
  ])('are told apart by %s', (_, before, text) => {
    const [, value] = readBoth(before, text)
    expect(value).toBeDefined()
    expect(value).toEqual(judged(text))
  })

  test('are no parts in another column, where the same text is a mistake', () => {
    const [, value] = readBoth('a:\n  b:\n  - c\n', 'a:\n    b:\n  - c\n')
    expect(value).toBeUndefined()
  })

  test('count as often as they are there', () => {
    const part = `\n    b: [${'1, '.repeat(2000)}1]\n`
    const text = `a:\n${[1, 2, 3, 4, 5].map(index => `  c${index}:${part}`).join('')}`
    expect(readQuickly(`a:\n  c1:${part}`)).toBeDefined()
    expect(readQuickly(text)).toBeUndefined()
  })

  test('are forgotten, and sought no more, where none of them comes back', () => {
    const parts = new Memory<KnownPart>()
    const texts = Array.from({ length: 1200 }, (_, index) => `a:\n  b: { c: ${index} }\n`)
    for (const text of texts) readQuickly(text, parts)
    expect(parts.pays).toBe(false)
    expect(readQuickly(volumes, parts)).toEqual(judged(volumes))
  })
})
