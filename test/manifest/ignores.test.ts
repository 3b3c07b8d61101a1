import { loadManifest } from '../../src/manifest/load-manifest.js'
import { aSource, startOf } from '../support/changed-manifest.js'
import { exampleTexts } from '../support/text-mutants.js'

const [example = ''] = exampleTexts.filter(text => text.includes('name: quickstart'))
const mark = '# landform-ignore-next-line'

/** The diagnostics of the example after these lines are appended to its spec; line 1 is the first of them. */
function said(lines: string, base?: string): readonly string[] {
  const before = example.split('\n').length - 1
  const bases = base === undefined ? [] : [aSource(base, 'base.yaml')]
  const head = base === undefined ? '' : 'extends: base.yaml\n'
  return loadManifest(aSource(`${example}${lines}${head}`), bases).diagnostics.map(one => {
    const [line = '', column = ''] = startOf(one).split(':')
    const isBase = one.place?.file === 'base.yaml'
    return `${isBase ? `base ${line}` : Number(line) - before}:${column} ${one.code}`
  })
}

describe('a comment that silences', () => {
  test.each<[string, string, readonly string[]]>([
    ['silences the next line', `  ${mark} log/level -- why\n  logLevel: LOUD\n`, []],
    ['accepts any text as a reason', `  ${mark} log/level --  why -- oh why  \n  logLevel: LOUD\n`, []],
    [
      'silences several codes',
      `  ${mark} extra/passed-through, log/level -- why\n  logLevel: LOUD\n`,
      ['1:3 ignore/unused'],
    ],
    [
      'applies across blank lines and other comments',
      `  ${mark} log/level -- why\n\n  # more\n \t\n  logLevel: LOUD\n`,
      [],
    ],
    [
      'works together with others before the same line',
      `  extra:\n    ${mark} extra/passed-through -- why\n    ${mark} log/level -- why\n    new: 1\n`,
      ['3:5 ignore/unused'],
    ],
    [
      'silences no line after the next',
      `  extra:\n    ${mark} extra/passed-through -- why\n    new: 1\n    newer: 1\n`,
      ['4:5 extra/passed-through'],
    ],
    [
      'silences all diagnostics of a code on its line',
      `  ${mark} extra/passed-through -- why\n  extra: { new: 1, newer: 1 }\n`,
      [],
    ],
    [
      'silences no line before it',
      `  logLevel: LOUD\n  ${mark} log/level -- why\n`,
      ['1:13 log/level', '2:3 ignore/unused'],
    ],
    [
      'silences nothing at the end of a line',
      `  logLevel: LOUD ${mark} log/level -- why\n`,
      ['1:13 log/level'],
    ],
    [
      'is unused if there is no diagnostic',
      `  ${mark} log/level -- why\n  logLevel: INFO\n`,
      ['1:3 ignore/unused'],
    ],
    [
      'silences no error',
      `  ${mark} manifest/wrong-type -- why\n  logLevel: 5\n`,
      ['1:3 ignore/malformed', '2:13 manifest/wrong-type'],
    ],
    [
      'silences nothing without a reason',
      `  ${mark} log/level\n  logLevel: LOUD\n`,
      ['1:3 ignore/malformed', '2:13 log/level'],
    ],
    [
      'silences nothing with an empty reason',
      `  ${mark} log/level --  \n  logLevel: LOUD\n`,
      ['1:3 ignore/malformed', '2:13 log/level'],
    ],
    [
      'silences nothing without a code',
      `  ${mark} -- why\n  logLevel: LOUD\n`,
      ['1:3 ignore/malformed', '2:13 log/level'],
    ],
    [
      'silences nothing with one code that does not exist',
      `  ${mark} log/level, log/levle -- why\n  logLevel: LOUD\n`,
      ['1:3 ignore/malformed', '2:13 log/level'],
    ],
    ['needs the exact marker', `  ${mark}s log/level -- why\n  logLevel: LOUD\n`, ['2:13 log/level']],
  ])('%s', (_, lines, expected) => {
    expect(said(lines)).toEqual(expected)
    const inWindows = loadManifest(aSource((example + lines).replaceAll('\n', '\r\n'))).diagnostics
    expect(inWindows.map(({ code }) => code)).toEqual(expected.map(one => one.split(' ')[1]))
  })

  test.each([
    ['a block', '|\n      '],
    ['a block with an anchor', '&text |\n      '],
    ['a folded block', '>-\n      first\n      '],
    ['double quotes', '"first\n      '],
    ['single quotes', "'first\n      "],
  ])('is not recognized in the text of %s', (_, opening) => {
    const closing = /["']/.exec(opening)?.[0] ?? ''
    expect(said(`  extra:\n    new: ${opening}${mark} nonsense${closing}\n`)).toEqual([
      '2:5 extra/passed-through',
    ])
  })

  test('is recognized again after the text of a block', () => {
    const lines = `  extra:\n    ${mark} extra/passed-through -- why\n    new: |\n      text\n  ${mark} log/level -- why\n  logLevel: LOUD\n`
    expect(said(lines)).toEqual([])
  })

  test('applies only to its own file, whether that is the manifest or a base', () => {
    const loud = 'spec:\n  logLevel: LOUD\n'
    expect(said('', loud)).toEqual(['base 2:13 log/level'])
    expect(said('', loud.replace('\n', `\n  ${mark} log/level -- why\n`))).toEqual([])
    // A comment in a base may be meant for the result of another manifest.
    expect(said('', `\n${mark} log/level -- why\nspec:\n  logLevel: INFO\n`)).toEqual([])
    // The same line number, but in the other file.
    const before = example.split('\n').length - 1
    expect(said(`  ${mark} log/level -- why\n`, '#\n'.repeat(before) + loud)).toEqual([
      '1:3 ignore/unused',
      `base ${before + 2}:13 log/level`,
    ])
  })
})
