import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { redactText } from '../../src/manifest/redacted-text.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'

const folder = join(process.cwd(), 'examples')

/** The bytes as Latin-1 text, so that mutations may produce invalid UTF-8. */
const examples = readdirSync(folder)
  .filter(name => name.endsWith('.yaml'))
  .map(name => readFileSync(join(folder, name), 'latin1'))

type Mutation = (text: string) => string

/** A position in a file of any length, as a fraction. */
const spot = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const length = fc.integer({ min: 1, max: 40 })
const inserted = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 4 }).map(bytes => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(
    ...['\n', '\t', ' ', ': ', '- ', '? ', '# ', '"', "'", '{', '}', '[', ']', ',', '|\n', '>\n'],
  ),
  fc.constantFrom(
    ...['&a ', '*a', '!a ', '<<: ', '\n---\n', '\n...\n', '%YAML 1.1\n', '__proto__', '\0', '\r'],
  ),
  fc.constantFrom(...['.inf', '1e999', '~', '\xEF\xBB\xBF', '\xE2\x80\xA8']),
)

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(spot, length).map(
    ([where, count]): Mutation =>
      text => {
        const from = Math.floor(where * text.length)
        return text.slice(0, from) + text.slice(from + count)
      },
  ),
  fc.tuple(spot, length).map(
    ([where, count]): Mutation =>
      text => {
        const from = Math.floor(where * text.length)
        return text.slice(0, from + count) + text.slice(from)
      },
  ),
  fc.tuple(spot, inserted).map(
    ([where, more]): Mutation =>
      text => {
        const from = Math.floor(where * text.length)
        return text.slice(0, from) + more + text.slice(from)
      },
  ),
  fc.tuple(spot, spot).map(([one, other]): Mutation => lines(one, other)),
  fc.tuple(spot, spot).map(([one, other]): Mutation => words(one, other)),
  // A line that is removed or duplicated.
  fc.tuple(spot, fc.constantFrom(0, 2)).map(
    ([where, times]): Mutation =>
      text => {
        const all = text.split(/(?<=\n)/)
        return all
          .map((line, at) => (at === Math.floor(where * all.length) ? line.repeat(times) : line))
          .join('')
      },
  ),
)

function lines(one: number, other: number): Mutation {
  return text => swapped(text.split(/(?<=\n)/), one, other).join('')
}

function words(one: number, other: number): Mutation {
  return text => {
    const remaining = swapped(text.match(/\w+/g) ?? [], one, other).values()
    return text.replaceAll(/\w+/g, () => remaining.next().value ?? '')
  }
}

function swapped(pieces: readonly string[], one: number, other: number): readonly string[] {
  const [left, right] = [Math.floor(one * pieces.length), Math.floor(other * pieces.length)]
  return pieces.map((piece, index) => {
    if (index === left) return pieces[right] ?? ''
    return index === right ? (pieces[left] ?? '') : piece
  })
}

function isInside({ place }: Diagnostic, bytes: Uint8Array): boolean {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return [place?.start, place?.end].every(position => {
    const line = position === undefined ? undefined : lines[position.line - 1]
    return (
      line !== undefined &&
      position !== undefined &&
      position.column >= 1 &&
      position.column <= line.length + 1
    )
  })
}

const mutant = fc
  .tuple(fc.constantFrom(...examples), fc.array(mutation, { minLength: 1, maxLength: 2 }))
  .map(([example, mutations]) =>
    Buffer.from(
      mutations.reduce((text, mutate) => mutate(text), example),
      'latin1',
    ),
  )

// The parser creates hundreds of errors that are not read; their stack traces would take most of the time.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

test('broken examples never throw, and every diagnostic has a position inside the file', () => {
  const broken = fc.sample(mutant, { numRuns: cases(350), seed: 20_261 })
  const results = broken.map(bytes => ({ bytes, ...loadManifest(aSource(bytes)) }))
  const outside = results.flatMap(({ bytes, diagnostics }) =>
    diagnostics
      .filter(diagnostic => !isInside(diagnostic, bytes))
      .map(({ code, place }) => ({ code, place, text: bytes.toString() })),
  )
  expect(outside).toEqual([])
  // The mutants are useful only if they reach every part of the loader.
  const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect([...new Set(codes)]).toEqual(
    expect.arrayContaining([
      'yaml/not-text',
      'yaml/syntax',
      'yaml/unsupported',
      'yaml/duplicate-key',
      'manifest/unknown-field',
      'manifest/missing-field',
      'manifest/wrong-type',
    ]),
  )
  expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(7)
  expect(results.filter(({ ok, diagnostics }) => !ok && diagnostics.length === 0)).toEqual([])
})

test('loading the same bytes twice gives the same result', () => {
  fc.assert(
    fc.property(mutant, bytes => {
      const [one, other] = [loadManifest(aSource(bytes)), loadManifest(aSource(bytes))]
      expect(JSON.stringify(other)).toBe(JSON.stringify(one))
    }),
    { numRuns: cases(3) },
  )
})

test('diagnostics are in the order of the file', () => {
  fc.assert(
    fc.property(mutant, bytes => {
      const starts = loadManifest(aSource(bytes)).diagnostics.map(({ place }) => place?.start)
      const order = starts.map(start => (start?.line ?? 0) * 10_000 + (start?.column ?? 0))
      expect(order).toEqual(order.toSorted((left, right) => left - right))
    }),
    { numRuns: cases(3) },
  )
})

test('the displayed text has the lines of the file, whatever its content', () => {
  fc.assert(
    fc.property(mutant, bytes => {
      const shown = redactText(aSource(bytes))
      const lines = new TextDecoder().decode(bytes).split('\n').length
      expect(shown === undefined ? lines : shown.split('\n').length).toBe(lines)
    }),
    { numRuns: cases(3) },
  )
})

test('a literal secret is never displayed, whatever it is', () => {
  const text = readFileSync(join(folder, 'quickstart.yaml'), 'utf8')
  // Long enough not to occur in the example by chance.
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 })
  fc.assert(
    fc.property(secret, value => {
      const source = aSource(text.replace('{ env: LANDFORM_ADMIN_PASSWORD }', () => JSON.stringify(value)))
      const { ok, diagnostics } = loadManifest(source)
      expect(ok).toBe(false)
      expect(diagnostics.map(({ code }) => code)).toEqual(['secret/literal'])
      expect(JSON.stringify(diagnostics)).not.toContain(JSON.stringify(value).slice(1, -1))
      expect(redactText(source)).not.toContain(JSON.stringify(value).slice(1, -1))
    }),
    { numRuns: cases(3) },
  )
})
