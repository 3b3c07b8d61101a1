import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateWords } from './support/language/private-words.js'
import { countWords, listSentences, plainText, readingEase, withoutCode } from './support/language/prose.js'
import { readVocabulary, type SourceText, type Spot, sourceFiles } from './support/language/sources.js'
import { root } from './support/manifests.js'

const sources = ['src', 'packages/fleet/src'].flatMap(folder => sourceFiles(root, folder))
const vocabularies = sources.map(file => readVocabulary(root, file))
const functions = vocabularies.flatMap(vocabulary => vocabulary.functions)
const types = vocabularies.flatMap(vocabulary => vocabulary.types.filter(({ exported }) => exported))
const comments = vocabularies.flatMap(vocabulary => vocabulary.comments)
const strings = vocabularies.flatMap(vocabulary => vocabulary.strings)
const pages = pageFiles().map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** The folders whose functions answer with codes; the wording is made where it is printed. */
const core = /^src\/(?:plan|apply|state|client|secrets|policy|library)\//

afterAll(() => {
  process.stdout.write(`${figures().join('\n')}\n`)
})

test('prose has at most one private word in a thousand', () => {
  expect(prosePerThousand()).toBeLessThanOrEqual(1)
})

test('texts that users read have no private word', () => {
  expect(strings.flatMap(offences)).toEqual([])
})

test('the functions of the core answer with codes, not with sentences', () => {
  expect(strings.filter(isCoreSentence).map(located)).toEqual([])
})

test('an exported type name stands for one type', () => {
  expect(doubledTypes().length).toBeLessThanOrEqual(5)
})

test('functions are named by verbs', () => {
  expect(
    share(
      functions.filter(({ name }) => /[a-z]Of$/.test(name)),
      functions,
    ),
  ).toBeLessThanOrEqual(2)
  expect(
    share(
      functions.filter(({ name }) => isParticiple(name)),
      functions,
    ),
  ).toBeLessThanOrEqual(4)
})

test('doc comments say what something is or does', () => {
  expect(share(comments.filter(opensWithQuestion), comments)).toBeLessThanOrEqual(2)
})

test('the glossary has at most twenty rows', () => {
  expect(glossaryRows()).toBeGreaterThan(5)
  expect(glossaryRows()).toBeLessThanOrEqual(20)
})

test.each(pages.filter(({ text }) => listSentences(text).length >= 10))(
  '$file is easy to read',
  ({ text }) => {
    expect(readingEase(listSentences(text))).toBeGreaterThan(50)
  },
)

test('a private word is found with its place and its standard word', () => {
  expect(offences({ file: 'a.ts', line: 3, text: 'Nothing was mended.' })).toEqual([
    'a.ts:3: mended: write "fix"',
  ])
})

test.each([
  ['formatPlan', false],
  ['performed', true],
  ['shownPlan', true],
  ['needsToken', false],
  ['readSite', false],
])('%s is named by a participle: %s', (name, expected) => {
  expect(isParticiple(name)).toBe(expected)
})

function pageFiles(): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => join('docs', file))
  return [
    'README.md',
    'CONTRIBUTING.md',
    'src/README.md',
    'test/README.md',
    'packages/fleet/README.md',
    ...docs,
  ]
}

function offences({ file, line, text }: SourceText): readonly string[] {
  const plain = withoutCode(text)
  return privateWords.flatMap(({ pattern, standard }) =>
    [...plain.matchAll(pattern)].map(([word]) => `${file}:${line}: ${word}: write "${standard}"`),
  )
}

function proseTexts(): readonly SourceText[] {
  return [...comments, ...pages.map(({ file, text }) => ({ file, line: 1, text: plainText(text) }))]
}

function prosePerThousand(): number {
  const words = proseTexts().reduce((sum, { text }) => sum + countWords(withoutCode(text)), 0)
  return (1000 * proseTexts().flatMap(offences).length) / words
}

/** Data and protocols that read like sentences. */
const noSentences: readonly RegExp[] = [
  // The words that a response may have without being redacted.
  /^src\/client\/redact\/public-words\.ts/,
  // A status of the service. Service §4.5.
  /: success with warning$/,
  // The message of a commit.
  /: State of a site/,
  // Names of settings, which the identity of a saved plan covers.
  /^src\/plan\/fields\/lifetime\.ts:\d+: the (?:availability and performance profiles|extra parameters)$/,
]

/** Three words in a row are a sentence, or the beginning of one. */
function isCoreSentence(source: SourceText): boolean {
  const { file, text, isThrown } = source
  if (!core.test(file) || isThrown === true || noSentences.some(pattern => pattern.test(located(source))))
    return false
  return /(?:^|[\s…])[a-z']+,? [a-z']+,? [a-z']+/i.test(text)
}

function doubledTypes(): readonly string[] {
  const names = types.map(({ name }) => name)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

const irregular = new Set(
  'told lent shown written sent made found kept done taken given known drawn seen held built begun gone left bound met chosen spoken thrown hidden broken grown'.split(
    ' ',
  ),
)

function isParticiple(name: string): boolean {
  const first = name.replace(/[A-Z].*/, '')
  return irregular.has(first) || /(?<!^(?:ne|fe|se|proce|exce|emb|sp|inde|b|r|sh))ed$/.test(first)
}

function opensWithQuestion({ text }: SourceText): boolean {
  return /^(?:What|Why|How|Whether|Who|Whom|Whose|Where|When|Which)\b/.test(text)
}

function glossaryRows(): number {
  const text = readFileSync(join(root, 'docs/explanation/words.md'), 'utf8')
  return text.split('\n').filter(line => line.startsWith('|')).length - 2
}

function share(part: readonly Spot[], all: readonly Spot[]): number {
  return (100 * part.length) / all.length
}

function located({ file, line, text }: SourceText): string {
  return `${file}:${line}: ${text}`
}

function figures(): readonly string[] {
  const percent = (part: readonly Spot[], all: readonly Spot[]) => `${share(part, all).toFixed(1)} %`
  return [
    `private words: ${(prosePerThousand() / 10).toFixed(2)} per 100 words of prose, ${strings.filter(text => offences(text).length > 0).length} of ${strings.length} texts`,
    `functions: ${functions.length}, ${percent(
      functions.filter(({ name }) => /[a-z]Of$/.test(name)),
      functions,
    )} named …Of, ${percent(
      functions.filter(({ name }) => isParticiple(name)),
      functions,
    )} by a participle`,
    `exported types: ${types.length}, ${doubledTypes().length} names used twice; doc comments: ${comments.length}, ${percent(comments.filter(opensWithQuestion), comments)} open with a question word`,
    `sentences in the core: ${strings.filter(isCoreSentence).length}; rows of the glossary: ${glossaryRows()}`,
  ]
}
