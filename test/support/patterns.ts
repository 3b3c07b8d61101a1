import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'
import { mostSteps, stepsOf } from './pattern-steps.js'
import { slowTexts } from './slow-texts.js'

/** Reads what ajv makes of our own schemas while artifacts are generated, and nothing that a stranger wrote. */
const ofGeneration = 'validator-modules.ts'

const filesOf = (folder: string, extension: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension) && !name.startsWith('generated') && name !== ofGeneration)
    .map(name => readFileSync(join(root, folder, name), 'utf8'))

/** Every `pattern` of a published schema, as a validator compiles it. */
export const published = new Set<string>()
for (const schema of filesOf('schemas', '.json'))
  JSON.parse(schema, (keyword, value: unknown) => {
    if (keyword === 'pattern' && typeof value === 'string') published.add(value)
    return value
  })

/** Literals stand behind a sign or `return`; comments are left out first. */
const literal =
  /(?<=(?:[(=,:?|&!]|return)\s*)\/((?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g
/** Every literal of the folders that read what others wrote. */
export const literals: readonly RegExp[] = [
  'src/manifest',
  'src/schema',
  'src/diagnostics',
  'src/report',
  'src/contract',
].flatMap(folder =>
  filesOf(folder, '.ts')
    .map(text => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
    .flatMap(text =>
      [...text.matchAll(literal)].map(([, source = '', flags = '']) => new RegExp(source, flags)),
    ),
)

/** All of them. */
export const patterns: readonly RegExp[] = [
  ...[...published].map(source => new RegExp(source, 'u')),
  ...literals,
]

/** Not linear, and looked at only in texts of so many characters. */
export const bounded: ReadonlyMap<string, number> = new Map([
  // The beginning of a line: the rest is never shown.
  [String.raw`^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$`, 400],
])

/** The most steps for a text of this length, of all the texts that could make the pattern slow. */
function worst(pattern: RegExp, length: number): number {
  let most = 0
  for (const text of slowTexts(pattern, length)) {
    most = Math.max(most, stepsOf(pattern, text))
    if (most > mostSteps) break
  }
  return most
}

/** Twice the length takes twice the steps when a pattern is linear, and four times when it is quadratic. */
export function isLinear(pattern: RegExp, length = 60): boolean {
  // A sticky pattern does not search: it is tried in one place.
  const tried = pattern.sticky ? new RegExp(`^(?:${pattern.source})`) : pattern
  const [short, long] = [worst(tried, length), worst(tried, 2 * length)]
  return long < 3 * short && long < mostSteps
}

/** Patterns as people write them, and what is wrong with each. */
export const slowPatterns: readonly (readonly [string, RegExp])[] = [
  ['a repeated repetition', /^([a-zA-Z0-9]+[._-]?)+$/],
  ['a search that begins anew', /:\/\/[^\s]*\?/],
  ['an end that is searched for', /\/+$/],
  ['parts that take the same characters', /^\d+\.?\d*$/],
  ['an end behind a repeated word', /^(?:ab)*.*c$/],
  ['a repeated repetition in one place', /(?:[\w-]+ *)+:/y],
  ['lines that are none', /^(?:[^#\n"']*?[:-] +| *)\{\{/m],
]
