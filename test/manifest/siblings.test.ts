import fc from 'fast-check'
import type { FindBase } from '../../src/manifest/extends.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { readCleanValue } from '../../src/manifest/quick-check.js'
import { readOrdinaryMap, readQuickly } from '../../src/manifest/quick-value.js'
import { Siblings } from '../../src/manifest/siblings.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import type { JsonObject } from '../../src/schema/json-schema.js'
import { readValue } from '../../src/schema/member.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

const noBase: FindBase = () => undefined
const [example = ''] = exampleTexts
const nameOf = (text: string) => /name: (\S+)/.exec(text)?.[1] ?? ''
const urlOf = (text: string) => /url: (\S+)/.exec(text)?.[1] ?? ''
const rename = (text: string, name: string, url: string) =>
  text.replace(`name: ${nameOf(text)}`, () => `name: ${name}`).replace(urlOf(text), () => url)

/** Knows these texts, none of which has a diagnostic. */
function knowing(...texts: readonly string[]): Siblings {
  const siblings = new Siblings()
  for (const text of texts) expect(readCleanValue(aSource(text), noBase, siblings)).toBeDefined()
  return siblings
}

/** Plain ones, and all that is not: words and numbers of YAML, what the schema or a rule refuses, and what ends a text. */
const names = [
  ...['other', 'o', 'other-2', 'a'.repeat(63), 'a'.repeat(64), 'a'.repeat(254), 'a.b', 'a--b', 'a-', '-a'],
  ...['null', 'true', 'false', 'True', '~', 'no', 'on', 'y', '1', '1a', '0x1f', '1e3', '.inf', '""', "''"],
  ...[
    'Other',
    'production',
    'a b',
    'a: b',
    'a:',
    'a # b',
    'a\n  labels: {}',
    '&a b',
    '*a',
    '!!str a',
    '{ a: b }',
    '[a]',
  ],
  ...[
    '"other"',
    "'other'",
    '|\n    other',
    'CHANGE-ME',
    `\${NAME}`,
    '{{ name }}',
    'a\tb',
    'é',
    '__proto__',
    '',
  ],
]
const urls = [
  ...['https://other.example.org/arcgis/admin', 'https://a.b/c/admin', `https://${'a.'.repeat(9)}b/c/admin`],
  ...[
    'http://other.example.org/arcgis/admin',
    'https://other.example.org/arcgis',
    'https://127.0.0.1/arcgis/admin',
  ],
  ...[
    'https://Other.example.org/arcgis/admin',
    'https://other.example.org/arcgis/admin/',
    'https://xn--a.b/c/admin',
  ],
  ...[
    'https://a.b:8443/c/admin',
    'https://u:p@a.b/c/admin',
    'https://a.b/c/admin # d',
    'https://a.b/c/admin\n    x: y',
  ],
  ...['"https://a.b/c/admin"', 'https://a.b/CHANGE-ME/admin', `https://\${HOST}/c/admin`, '', '1', '*a'],
]

const renamed = fc
  .tuple(
    fc.constantFrom(...exampleTexts),
    fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^[a-z0-9.-]{1,70}$/)),
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...urls.slice(0, 2)) }, fc.constantFrom(...urls)),
  )
  .map(([text, name, url]) => rename(text, name, url))

test('what is recognized has the value and the diagnostics that it has when it is read alone', () => {
  const siblings = knowing(...exampleTexts)
  let recognized = 0
  const property = fc.property(fc.oneof({ weight: 4, arbitrary: renamed }, textMutant), text => {
    const value = siblings.recognize(text, noBase)
    if (value !== undefined) {
      recognized += 1
      expect(parseYaml(aSource(text))).toMatchObject({ document: { value }, diagnostics: [] })
    }
    if (readCleanValue(aSource(text), noBase, siblings) !== undefined)
      expect(loadManifest(aSource(text)).diagnostics).toEqual([])
  })
  fc.assert(property, { numRuns: cases(600) })
  // One of five or so is.
  expect(recognized).toBeGreaterThan(30)
})

test.each(exampleTexts.map(text => [nameOf(text), text] as const))(
  'a text like the example %s with another name and URL is recognized',
  (_, text) => {
    const other = rename(text, 'other', 'https://other.example.org/arcgis/admin')
    const noneAsked = () => {
      throw new Error('it extends nothing')
    }
    expect(knowing(text).recognize(other, noneAsked)).toEqual(readQuickly(other)?.value)
  },
)

test('a rule that looks at the name or the URL looks at each', () => {
  const text = example.replace(/profile: \S+/, 'profile: development')
  const siblings = knowing(text)
  const read = (name: string) =>
    readCleanValue(aSource(rename(text, name, 'https://a.example.org/b/admin')), noBase, siblings)
  expect(read('gis-test')).toBeDefined()
  expect(read('gis-prod')).toBeUndefined()
})

test.each([
  ['brackets and quotes', 'metadata: { name: "NAME" }\nspec: { site: { url: \'URL\', version: "11.2" } }\n'],
  ['a name between others', 'metadata: { labels: {}, name: NAME, other: {} }\nspec:\n  site: { url: URL }\n'],
  ['comments behind both', 'metadata:\n  name:  NAME # a\nspec:\n  site:\n    url: URL # b\n'],
  [
    'the name in the URL, and elsewhere',
    '# one\nmetadata:\n  # one\n  name: NAME\n  labels: { name: one }\nspec: { site: { url: URL } }',
  ],
])('both are found with %s', (_, text) => {
  const write = (name: string, url: string) => text.replaceAll('NAME', name).replace('URL', url)
  const siblings = new Siblings()
  const [one, other] = [
    write('one', 'https://one.example.org/a/admin'),
    write('other', 'https://o.example.org/a/admin'),
  ]
  const read = readOrdinaryMap(one)
  if (read === undefined) throw new Error('unusual')
  siblings.learn(one, read, read.value, noBase)
  expect(siblings.recognize(other, noBase)).toEqual(readQuickly(other)?.value)
  expect(siblings.recognize(other, noBase)).toBeDefined()
})

const url = 'https://one.example.org/a/admin'
const shift = url.length + 10

test.each([
  ['an alias of the name', 'metadata:\n  name: &n one\n  other: *n\nspec: { site: { url: URL } }\n'],
  ['an alias of what has it', 'metadata: &m\n  name: one\nother: *m\nspec: { site: { url: URL } }\n'],
  ['other ends of lines', 'metadata:\r\n  name: one\r\nspec: { site: { url: URL } }\r\n'],
  [
    'other ends of some lines, and the same in comments',
    `${'#\r\n'.repeat(shift)}metadata:\n# one${' '.repeat(shift - 12)}\n  name: one\nspec:\n  site:\n# URL\n    url: URL\n`,
  ],
  ['two names', 'metadata: { name: one }\nspec: { name: one, site: { url: URL } }\n'],
  ['a name in a block of text', 'metadata:\n  name: |-\n    one\nspec: { site: { url: URL } }\n'],
  ['an escape in the name', 'metadata: { name: "on\\/e" }\nspec: { site: { url: URL } }\n'],
  ['no URL', 'metadata: { name: one }\nspec: { site: {} }\n'],
  ['very much text', `${'# a\n'.repeat(6000)}metadata: { name: one }\nspec: { site: { url: URL } }\n`],
])('a text with %s is not remembered', (_, pattern) => {
  const text = pattern.replaceAll('URL', url)
  const siblings = new Siblings()
  const read = readOrdinaryMap(text)
  if (read === undefined) throw new Error('unusual')
  siblings.learn(text, read, read.value, noBase)
  expect(siblings.recognize(text.replaceAll('on\\/e', 'one'), noBase)).toBeUndefined()
})

test.each([
  [
    'an escape in the URL',
    'metadata: { name: one }\nspec: { site: { url: "https:\\/\\/a.b/c/admin" } }\n',
    'metadata: { name: one }\nspec: { site: { url: "https://a.b/c/adminin" } }\n',
  ],
  [
    'the URL before the name',
    `spec: { site: { url: "${url}" } }\nmetadata: { name: one }\n`,
    `spec: { site: { url: "${url}" } }\nmetadata: { name: one${url}" } }\nmetadata: { name: one }\n`,
  ],
])('a text with %s is not taken for another', (_, text, other) => {
  const siblings = new Siblings()
  const read = readOrdinaryMap(text)
  if (read === undefined) throw new Error('unusual')
  siblings.learn(text, read, read.value, noBase)
  expect(siblings.recognize(other, noBase)).toBeUndefined()
})

test('any other difference is read', () => {
  const siblings = knowing(example)
  const other = rename(example, 'other', 'https://other.example.org/arcgis/admin')
  for (let at = 0; at < other.length; at += 1) {
    for (const end of [at, at + 1]) {
      const changed = `${other.slice(0, at)}x${other.slice(end)}`
      const value = siblings.recognize(changed, noBase)
      if (value !== undefined) expect(value).toEqual(readQuickly(changed)?.value)
    }
  }
  expect(siblings.recognize(other, noBase)).toBeDefined()
})

describe('an overlay', () => {
  const overlay = (name: string) =>
    `extends: base.yaml\nmetadata: { name: ${name} }\nspec: { site: { url: "https://${name}.example.org/a/admin" } }\n`
  const base = readOrdinaryMap(example)?.value ?? {}

  function read(siblings: Siblings, name: string, found: JsonObject | undefined) {
    return readCleanValue(aSource(overlay(name)), () => found, siblings)
  }

  test('is recognized by another one of its base, whose parts it shares', () => {
    const siblings = new Siblings()
    const [one, other] = [read(siblings, 'one', base), read(siblings, 'other', base)]
    expect(siblings.recognize(overlay('third'), () => base)).toBeDefined()
    expect(other).toEqual(read(new Siblings(), 'other', base))
    expect(readValue(other, '/spec/volumes')).toBe(readValue(one, '/spec/volumes'))
  })

  test('is read where another base is at that path, or none', () => {
    const siblings = new Siblings()
    read(siblings, 'one', base)
    const changed = readOrdinaryMap(example.replace(/size: \d+Gi/, 'size: 640Gi'))?.value
    expect(read(siblings, 'other', changed)).toEqual(read(new Siblings(), 'other', changed))
    expect(read(siblings, 'other', undefined)).toBeUndefined()
  })
})

test('where none comes back, none is remembered any more', () => {
  const siblings = new Siblings()
  for (let index = 0; index < 40; index += 1)
    readCleanValue(aSource(`# ${index}\n${example}`), noBase, siblings)
  expect(siblings.recognize(`# 20\n${example}`, noBase)).toBeUndefined()
  readCleanValue(aSource(example), noBase, siblings)
  expect(siblings.recognize(example, noBase)).toBeUndefined()
})

test('the last thirty that came back are remembered', () => {
  const siblings = new Siblings()
  const texts = Array.from({ length: 40 }, (_, index) => `# ${index}\n${example}`)
  for (const text of [...texts, ...texts].toSorted()) readCleanValue(aSource(text), noBase, siblings)
  expect(texts.filter(text => siblings.recognize(text, noBase) !== undefined)).toHaveLength(30)
})
