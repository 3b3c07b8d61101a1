import { coloured, wrapLines } from '../../src/report/terminal.js'
import { hostileTexts } from '../support/hostile-texts.js'

const wrapped = (line: string, columns: number) => wrapLines(line, columns).split('\n')

test.each<[string, string, number, readonly string[]]>([
  ['a sentence', 'one two three four', 9, ['one two', 'three', 'four']],
  ['a label', 'error: one two three four', 24, ['error: one two three', '       four']],
  ['a numbered step', '  1. one two three four', 18, ['  1. one two three', '     four']],
  [
    'the time of an event',
    '[+00:01] one two three four five six',
    30,
    ['[+00:01] one two three four', '         five six'],
  ],
  ['a row of a table', '  + name  one two three', 17, ['  + name  one two', '          three']],
  [
    'a row without room for its last column',
    '  + a long name  onetwothree',
    16,
    ['  + a long name', '    onetwothree'],
  ],
  [
    'a continuation line of a row',
    `${' '.repeat(16)}one two three`,
    27,
    [`${' '.repeat(16)}one two`, `${' '.repeat(16)}three`],
  ],
  [
    'a heading with columns',
    'Plan for production  https://gis.example.org',
    30,
    ['Plan for production', '  https://gis.example.org'],
  ],
  ['a number with its unit', 'only 0 % of it', 9, ['only 0 %', 'of it']],
])('%s is wrapped and indented below its text', (_what, line, columns, lines) => {
  expect(wrapped(line, columns)).toEqual(lines)
})

test.each([
  [
    'a command in a sentence',
    'next: run `landform apply site.yaml --yes`, which waits',
    '`landform apply site.yaml --yes`,',
  ],
  [
    'a command at the end of a line',
    'next: landform apply site.yaml --yes',
    'landform apply site.yaml --yes',
  ],
  ['a URL', 'see https://gis.example.org/a/b.c/admin now', 'https://gis.example.org/a/b.c/admin'],
  ['a digest', `plan sha256:${'0123456789abcdef'.repeat(4)} now`, `sha256:${'0123456789abcdef'.repeat(4)}`],
])('%s is never broken', (_what, line, whole) => {
  expect(wrapped(line, 20).map(one => one.trim())).toContain(whole)
})

test('a long path is broken after its separators, and JSON after its commas', () => {
  expect(wrapped('spec.administrator.securityQuestion', 20)).toEqual([
    'spec.administrator.',
    'securityQuestion',
  ])
  expect(wrapped('{"a":"b.c","d":"e/f"}', 12)).toEqual(['{"a":"b.c",', '"d":"e/f"}'])
})

test('colours have no width, and a question keeps the space before its answer', () => {
  const line = `${coloured('red', 'error')}: one two`
  expect(wrapLines(line, 14)).toBe(line)
  expect(wrapped('Apply this? Type yes: ', 12)).toEqual(['Apply this?', 'Type yes: '])
})

test.each(hostileTexts)(
  "no line begins with a CI runner's command that was not at the beginning: %j",
  text => {
    const shown = text.replaceAll('\n', ' ')
    for (const columns of [3, 10, 30, 80])
      for (const line of wrapped(
        `the site reports: ${shown} ::error::${shown} ::set-output name=a::b`,
        columns,
      ))
        expect(line).not.toMatch(/^\s*::/)
  },
)
