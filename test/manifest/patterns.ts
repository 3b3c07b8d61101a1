import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { root } from '../support/manifests.js'

/** Characters of every class that patterns distinguish. */
const characters = [...'a1A-_./: \\"#@=%{[s', '\r', '\n', '\u00e9', '\u2028', '\u0007']

/** Suffixes that make a pattern fail at the very end. */
const ends = ['', '\u0000', ' ', 'é']

/** Returns texts that make a careless pattern backtrack: each part of it, repeated, after the parts that precede it. */
export function slowTexts(pattern: RegExp, length: number): readonly string[] {
  const words = new Set(characters)
  const starts = new Set([''])
  visitRegExpAST(new RegExpParser().parseLiteral(pattern.toString()), {
    onAlternativeEnter({ elements }) {
      const parts = partsOf(elements, pattern.flags)
      for (let from = 0; from < parts.length; from += 1) {
        starts.add(parts.slice(0, from).join(''))
        for (let to = from + 1; to <= parts.length; to += 1) words.add(parts.slice(from, to).join(''))
      }
    },
  })
  return [...starts].flatMap(start =>
    [...words]
      .filter(word => word !== '')
      .flatMap(word =>
        ends.map(end => start + word.repeat(Math.ceil(length / word.length)).slice(0, length) + end),
      ),
  )
}

/** Returns a sample for each element; adjacent characters form one part. */
function partsOf(elements: readonly AST.Element[], flags: string): readonly string[] {
  const parts: string[] = []
  for (const [at, element] of elements.entries()) {
    const inWord = element.type === 'Character' && elements[at - 1]?.type === 'Character'
    parts.push((inWord ? (parts.pop() ?? '') : '') + sampleOf(element, flags))
  }
  return parts
}

/** Returns a short text that an element matches. */
function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass': {
      const alone = new RegExp(`^(?:${element.raw})$`, flags.replaceAll(/[gmy]/g, ''))
      return characters.find(character => alone.test(character)) ?? ''
    }
    case 'Quantifier':
      return sampleOf(element.element, flags).repeat(Math.max(1, element.min))
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map(one => sampleOf(one, flags)).join('')
    default:
      return ''
  }
}

/** More steps than any linear pattern takes for the texts here. */
export const mostSteps = 100_000

type Next = (at: number) => boolean

const parsed = new Map<string, AST.Pattern>()
const known = new WeakMap<AST.Element, Map<string, boolean>>()
const expressions = new WeakMap<AST.Element, RegExp>()

/** Caches the compiled parts of patterns, which are matched with thousands of texts. */
function compiled(element: AST.Element, compile: () => RegExp): RegExp {
  const expression = expressions.get(element) ?? compile()
  expressions.set(element, expression)
  return expression
}

/** Counts the steps of a backtracking search, which is exact where time is not. Stops after `mostSteps`. */
export function stepsOf(pattern: RegExp, text: string): number {
  let steps = 0
  const fits = (element: AST.Element, character: string | undefined): boolean => {
    if (character === undefined) return false
    const answers = known.get(element) ?? new Map<string, boolean>()
    const before = answers.get(character)
    if (before !== undefined) return before
    const alone = () => new RegExp(`^(?:${element.raw})$`, pattern.flags.replaceAll(/[gmy]/g, ''))
    const answer = compiled(element, alone).test(character)
    known.set(element, answers.set(character, answer))
    return answer
  }

  const any = (alternatives: readonly AST.Alternative[], at: number, next: Next) =>
    alternatives.some(({ elements }) => all(elements, at, next))

  const all = (elements: readonly AST.Element[], at: number, next: Next, from = 0): boolean => {
    const first = elements[from]
    return first === undefined ? next(at) : one(first, at, after => all(elements, after, next, from + 1))
  }

  const one = (element: AST.Element, at: number, next: Next): boolean => {
    steps += 1
    if (steps > mostSteps) return true
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return fits(element, text[at]) && next(at + 1)
      case 'Group':
      case 'CapturingGroup':
        return any(element.alternatives, at, next)
      case 'Quantifier':
        return repeated(element, at, { next, done: 0 })
      case 'Assertion':
        return holds(element, at) && next(at)
      default:
        throw new Error(`${element.type} is not counted`)
    }
  }

  const repeated = (
    quantifier: AST.Quantifier,
    at: number,
    { next, done }: { readonly next: Next; readonly done: number },
  ): boolean => {
    const more = () =>
      done < quantifier.max &&
      one(
        quantifier.element,
        at,
        after => after > at && repeated(quantifier, after, { next, done: done + 1 }),
      )
    const enough = () => done >= quantifier.min && next(at)
    return quantifier.greedy ? more() || enough() : enough() || more()
  }

  const holds = (assertion: AST.Assertion, at: number): boolean => {
    if (assertion.kind === 'lookahead')
      return any(assertion.alternatives, at, () => true) !== assertion.negate
    // The other assertions in use read one character.
    const sticky = compiled(
      assertion,
      () => new RegExp(assertion.raw, `${pattern.flags.replaceAll(/[gy]/g, '')}y`),
    )
    sticky.lastIndex = at
    return sticky.test(text)
  }

  const source = pattern.toString()
  const whole = parsed.get(source) ?? new RegExpParser().parseLiteral(source).pattern
  parsed.set(source, whole)
  for (let at = 0; at <= text.length && steps <= mostSteps; at += 1)
    if (any(whole.alternatives, at, () => true)) break
  return steps
}

const filesOf = (folder: string, extension: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(extension) && !name.startsWith('generated'))
    .map(name => readFileSync(join(root, folder, name), 'utf8'))

/** Every `pattern` of a published schema, as a validator compiles it. */
export const published = new Set<string>()
for (const schema of filesOf('schemas', '.json'))
  JSON.parse(schema, (keyword, value: unknown) => {
    if (keyword === 'pattern' && typeof value === 'string') published.add(value)
    return value
  })

/** Matches a literal after an operator or `return`, in text without comments. */
const literal =
  /(?<=(?:[(=,:?|&!]|return)\s*)\/((?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g
/** Every literal in the folders that read foreign texts. */
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

/** All patterns of the schemas and the sources. */
export const patterns: readonly RegExp[] = [
  ...[...published].map(source => new RegExp(source, 'u')),
  ...literals,
]

/** Patterns that are not linear, with the length of the longest text that they are applied to. */
export const bounded: ReadonlyMap<string, number> = new Map([
  // The start of a line, whose rest is never shown.
  [String.raw`^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$`, 400],
])

/** Returns the highest number of steps for a text of this length, over all texts that could be slow. */
function worst(pattern: RegExp, length: number): number {
  let most = 0
  for (const text of slowTexts(pattern, length)) {
    most = Math.max(most, stepsOf(pattern, text))
    if (most > mostSteps) break
  }
  return most
}

/** Tests whether a pattern is linear. For twice the length, a linear one takes twice the steps, a quadratic one four times. */
export function isLinear(pattern: RegExp, length = 60): boolean {
  // A sticky pattern does not search: it matches at one position.
  const tried = pattern.sticky ? new RegExp(`^(?:${pattern.source})`) : pattern
  const [short, long] = [worst(tried, length), worst(tried, 2 * length)]
  return long < 3 * short && long < mostSteps
}

/** Typical slow patterns, each with its mistake. */
export const slowPatterns: readonly (readonly [string, RegExp])[] = [
  ['a repeated repetition', /^([a-zA-Z0-9]+[._-]?)+$/],
  ['a search that begins anew', /:\/\/[^\s]*\?/],
  ['an end that is searched for', /\/+$/],
  ['parts that take the same characters', /^\d+\.?\d*$/],
  ['an end behind a repeated word', /^(?:ab)*.*c$/],
  ['a repeated repetition in one place', /(?:[\w-]+ *)+:/y],
  ['lines that are none', /^(?:[^#\n"']*?[:-] +| *)\{\{/m],
]
