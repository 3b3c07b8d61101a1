import { splitWords } from '../../src/github-action/inputs.js'

describe('words are those of a shell', () => {
  test.each([
    ['', []],
    ['  \n ', []],
    ['--state git:origin\n--quiet', ['--state', 'git:origin', '--quiet']],
    [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
    [`--out='my plan'.json`, ['--out=my plan.json']],
    [`'' ""`, ['', '']],
    [`'$HOME;*'`, ['$HOME;*']],
    [String.raw`"a \"b\" \\ \n"`, [String.raw`a "b" \ \n`]],
    ['https://gis.example.org/a?', undefined],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(
      words === undefined ? expect.objectContaining({ ok: false }) : { ok: true, value: words },
    )
  })
})

test.each([
  '$HOME',
  '$(id)',
  '`id`',
  'a;b',
  'a|b',
  'a&&b',
  '<x',
  '>x',
  '*.yaml',
  '{a,b}',
  '~/x',
  "'open",
  '"open',
  'end\\',
])('what a shell would act upon, or would not understand, is refused: %s', text => {
  expect(splitWords(text).ok).toBe(false)
})
