import { buildDifferingPhrases, buildValuePhrase } from '../../src/report/field-rows.js'
import { html, renderCode, renderPlace } from '../../src/report/html.js'
import { fitBlocks, formatCodeSpan } from '../../src/report/markdown.js'
import { formatClock, formatDuration, formatPhrase, listTexts, phrase } from '../../src/report/phrase.js'
import type { JsonValue } from '../../src/schema/json-schema.js'

describe('a phrase', () => {
  test("keeps Landform's words and texts of others apart", () => {
    expect(phrase`It is ${'x'}, ${2} times${phrase` or ${'y'}`}.`).toEqual([
      { kind: 'words', text: 'It is ' },
      { kind: 'code', text: 'x' },
      { kind: 'words', text: ', ' },
      { kind: 'words', text: '2' },
      { kind: 'words', text: ' times' },
      { kind: 'words', text: ' or ' },
      { kind: 'code', text: 'y' },
      { kind: 'words', text: '.' },
    ])
  })

  test('counts the elements that a list has no room for', () => {
    expect(formatPhrase(listTexts(['a', 'b', 'c'], 3))).toBe('a, b, c')
    expect(formatPhrase(listTexts(['a', 'b', 'c'], 1))).toBe('a and 2 more')
  })

  test.each<[JsonValue, string]>([
    ['x', 'x'],
    ['', '""'],
    [13, '13'],
    [null, 'null'],
    [{}, '{}'],
    [[], '[]'],
    [{ env: 'LANDFORM_X' }, '(secret from LANDFORM_X)'],
    [{ file: 'a/b' }, '(secret from file a/b)'],
    [{ tier: 'storage', app: 'gis' }, 'app=gis tier=storage'],
    [{ a: 1 }, '{"a":1}'],
  ])('shows the value %j as %s', (value, shown) => {
    expect(formatPhrase(buildValuePhrase(value, '/spec/administrator/password'))).toBe(shown)
  })

  test.each<[JsonValue, JsonValue, string]>([
    ['a', 'b', 'a -> b'],
    ['1', 1, '"1" -> 1'],
    ['null', null, '"null" -> null'],
  ])('shows a difference between %j and %j', (before, after, shown) => {
    expect(buildDifferingPhrases(before, after, '/spec/extra/a').map(formatPhrase).join(' -> ')).toBe(shown)
  })
})

describe('a code span', () => {
  test.each([
    ['a', '`a`'],
    ['', '`""`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a``', '``` a`` ```'],
    ['a|b', '`a\\|b`'],
    ['a\\|b', '`a\\\\x7cb`'],
    ['a\nb', '`a\\x0ab`'],
  ])('with %j is %s', (text, span) => {
    expect(formatCodeSpan(text)).toBe(span)
  })
})

describe('markup', () => {
  test('shows a text as text', () => {
    expect(html`<p>${`<b a="1" c='2'>&`}</p>`.markup).toBe(
      '<p>&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;</p>',
    )
  })

  test('allows only numbers in a tag', () => {
    expect(html`<rect width="${4}"/>`.markup).toBe('<rect width="4"/>')
    expect(() => html`<p class="${'x'}">`).toThrow('only numbers')
    expect(() => html`<p ${html`hidden`}>`).toThrow('only numbers')
  })
})

describe('a document with a size limit', () => {
  const table = (rank: number, rows: number) => ({
    columns: ['a'],
    rows: Array.from({ length: rows }, (_, at) => [`row ${rank} ${at}`]),
    rank,
  })

  test('is whole if it fits', () => {
    expect(fitBlocks(['x', table(0, 2), 'y'], 1000)).toBe(
      'x\n\n| a |\n| --- |\n| row 0 0 |\n| row 0 1 |\n\ny\n',
    )
  })

  test.each([60, 100, 150, 200, 400, 1000])(
    'of %d characters ends tables after a whole row, and counts the omitted rows',
    most => {
      const document = fitBlocks([table(1, 30), 'x', table(0, 30)], most)
      expect(document.length).toBeLessThanOrEqual(Math.max(most, 100))
      const lines = document.split('\n')
      for (const line of lines) expect(line).toMatch(/^(\| (a|---|row \d \d+) \||… and \d+ more|x|)$/)
      for (const rank of [0, 1]) {
        const shown = lines.filter(line => line.startsWith(`| row ${rank}`)).length
        expect(shown === 30 || document.includes(`\n\n… and ${30 - shown} more`)).toBe(true)
      }
    },
  )

  test('gives the room to the most important parts', () => {
    const document = fitBlocks([table(1, 30), table(0, 30)], 500)
    expect(document).toContain('row 0 29')
    expect(document).not.toContain('row 1 29')
  })
})

test.each([
  '/spec/volumes/BLOB/labels',
  '/metadata/labels',
  '/spec/systemProperties/a',
  '/spec/extra/a',
] as const)('at %s no value is shown as the source of a secret', pointer => {
  expect(formatPhrase(buildValuePhrase({ env: 'production' }, pointer))).toBe('env=production')
})

const breaks = (markup: string) => markup.replaceAll('<wbr>', '|').replaceAll(/<[^>]+>/g, '')

test.each([
  ['volumes.RELATIONAL_PRIMARY.size', 'volumes.|RELATIONAL_|PRIMARY.|size'],
  ['../environments/base.yaml', '../environments/|base.yaml'],
  ['http://127.0.0.1:8080/gis/admin', 'http://127.0.0.1:8080/|gis/|admin'],
  ['size 16Gi, labels arcgis/tier=storage', 'size 16Gi, labels arcgis/tier=storage'],
  ['no-input', 'no-input'],
])('%s breaks only between its parts', (name, broken) => {
  expect(breaks(renderCode(name).markup)).toBe(broken)
})

test('a path breaks only between its folders', () => {
  expect(breaks(renderPlace('environments/base.yaml:11').markup)).toBe('environments/|base.yaml:11')
  expect(breaks(renderPlace('site.yaml:11').markup)).toBe('site.yaml:11')
})

describe('a duration', () => {
  test.each([
    [0, '0s', '[+00:00]'],
    [999, '0s', '[+00:00]'],
    [1000, '1s', '[+00:01]'],
    [59_999, '59s', '[+00:59]'],
    [60_000, '1m 00s', '[+01:00]'],
    [185_000, '3m 05s', '[+03:05]'],
    [3_599_999, '59m 59s', '[+59:59]'],
    [3_600_000, '1h 00m', '[+1:00:00]'],
    [3_723_000, '1h 02m', '[+1:02:03]'],
    [100 * 3_600_000, '100h 00m', '[+100:00:00]'],
    [-5, '0s', '[+00:00]'],
  ])('of %i ms is %s, and %s at the start of a line', (milliseconds, text, clock) => {
    expect(formatDuration(milliseconds)).toBe(text)
    expect(formatClock(milliseconds)).toBe(clock)
  })
})
