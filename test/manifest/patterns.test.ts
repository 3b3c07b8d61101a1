import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { root } from '../support/manifests.js'
import { mostSteps, stepsOf } from '../support/pattern-steps.js'
import { slowTexts } from '../support/slow-texts.js'

const filesOf = (folder: string, extension: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension) && !name.startsWith('generated'))
    .map(name => readFileSync(join(root, folder, name), 'utf8'))

/** Every `pattern` of a published schema, as a validator compiles it. */
const published = new Set<string>()
for (const schema of filesOf('schemas', '.json'))
  JSON.parse(schema, (keyword, value: unknown) => {
    if (keyword === 'pattern' && typeof value === 'string') published.add(value)
    return value
  })

/** Literals stand behind a sign or `return`; comments are left out first. */
const literal =
  /(?<=(?:[(=,:?|&!]|return)\s*)\/((?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g
const literals = ['src/manifest', 'src/schema', 'src/diagnostics', 'src/report', 'src/contract'].flatMap(
  folder =>
    filesOf(folder, '.ts')
      .map(text => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
      .flatMap(text =>
        [...text.matchAll(literal)].map(([, source = '', flags = '']) => new RegExp(source, flags)),
      ),
)

const patterns = [...[...published].map(source => new RegExp(source, 'u')), ...literals]

/** Not linear, and looked at only in texts of so many characters. */
const bounded: ReadonlyMap<string, number> = new Map([
  // The beginning of a line: the rest is never shown.
  [String.raw`^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$`, 400],
])

/** The most steps for a text of this length, of all the texts that could make the pattern slow. */
function worst(pattern: RegExp, length: number): number {
  return Math.max(...slowTexts(pattern, length).map(text => stepsOf(pattern, text)))
}

/** Twice the length takes twice the steps when a pattern is linear, and four times when it is quadratic. */
function isLinear(pattern: RegExp): boolean {
  const [short, long] = [worst(pattern, 60), worst(pattern, 120)]
  return long < 3 * short && long < mostSteps
}

test('the patterns are found', () => {
  expect(published.size).toBeGreaterThanOrEqual(8)
  expect(literals.length).toBeGreaterThanOrEqual(40)
  expect(literals.filter(({ source }) => bounded.has(source))).toHaveLength(bounded.size)
})

test.each(
  patterns.filter(({ source }) => !bounded.has(source)).map(pattern => [String(pattern), pattern] as const),
)('%s takes twice the steps for twice the text', (_, pattern) => {
  expect(isLinear(pattern)).toBe(true)
})

test.each(patterns.map(pattern => [String(pattern), pattern] as const))(
  '%s answers for the longest text that it gets',
  (_, pattern) => {
    // All of these together would take hours with a pattern that is not linear.
    const length = bounded.get(pattern.source) ?? 10_000
    for (const text of slowTexts(pattern, length)) pattern[Symbol.search](text)
  },
)

describe('a pattern that is not linear is found out:', () => {
  test.each([
    ['a repeated repetition', /^([a-zA-Z0-9]+[._-]?)+$/],
    ['a search that begins anew', /:\/\/[^\s]*\?/],
    ['an end that is searched for', /\/+$/],
    ['parts that take the same characters', /^\d+\.?\d*$/],
    ['an end behind a repeated word', /^(?:ab)*.*c$/],
    ['lines that are none', /^(?:[^#\n"']*?[:-] +| *)\{\{/m],
  ])('%s', (_, pattern) => {
    expect(isLinear(pattern)).toBe(false)
  })
})
