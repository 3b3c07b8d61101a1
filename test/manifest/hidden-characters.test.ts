import { readFileSync } from 'node:fs'
import { fixManifest } from '../../src/manifest/fix-manifest.js'
import { findHidden, findStray } from '../../src/manifest/hidden-characters.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'

const line = { lines: false }

test.each([
  ['admin\u200b@example.org', 'zero-width', '\u200b'],
  ['gp3\u200c', 'zero-width', '\u200c'],
  ['a\u200db', 'zero-width', '\u200d'],
  ['gis\u2060objects', 'zero-width', '\u2060'],
  ['\ufeffAda', 'zero-width', '\ufeff'],
  ['Ada\ufeff', 'zero-width', '\ufeff'],
  ['soft\u00adware', 'zero-width', '\u00ad'],
  ['filled\u3164', 'zero-width', '\u3164'],
  ['a\ufe0f', 'zero-width', '\ufe0f'],
  ['tag\u{e0041}', 'zero-width', '\u{e0041}'],
  ['admin\u202egro.elpmaxe', 'bidirectional', '\u202e'],
  ['\u2067admin\u2069', 'bidirectional', '\u2067'],
  ['gis\u200e', 'bidirectional', '\u200e'],
  ['a\u0007b', 'control', '\u0007'],
  ['a\u001b[31mb', 'control', '\u001b'],
  ['a\u0085b', 'control', '\u0085'],
  ['a\nb', 'control', '\n'],
  ['a\tb', 'control', '\t'],
  ['a\u2028b', 'control', '\u2028'],
] as const)('%j has an invisible character', (text, kind, character) => {
  expect(findHidden(text, line)).toEqual({ kind, character })
})

test.each([
  'a<b>c%1%',
  'a description with 100 %',
  '/data/{site}',
  'Zoë O’Brien-Łukasz',
  'فاطمه\u200cزهرا',
  'क्\u200dष',
  '山田　太郎',
  '❤️ 👩\u200d💻',
  'naïve “quoted” word',
  'ends in a line break\n',
])('%j has none', text => {
  expect(findHidden(text, line)).toBeUndefined()
})

test('a description may have line breaks, but no other invisible characters', () => {
  expect(findHidden('a\n\tb', { lines: true })).toBeUndefined()
  expect(findHidden('a\u200b\nb', { lines: true })).toMatchObject({ character: '\u200b' })
})

test.each([
  ['us-east-1 ', 'space', 'us-east-1'],
  [' us-east-1', 'space', 'us-east-1'],
  ['gis-objects\n', 'line-break', 'gis-objects'],
  ['\r\ngis-objects', 'line-break', 'gis-objects'],
  ['prod\u00a0a', 'no-break-space', 'prod a'],
  ['prod\u202fa', 'no-break-space', 'prod a'],
  ['\u00a0prod', 'no-break-space', 'prod'],
  ['“Ada Admin”', 'quotes', 'Ada Admin'],
  ['„Ada Admin“', 'quotes', 'Ada Admin'],
  ['«Ada Admin»', 'quotes', 'Ada Admin'],
  ['‘gp3’', 'quotes', 'gp3'],
  ['"gp3"', 'quotes', 'gp3'],
  [' “Ada\u00a0Admin” ', 'no-break-space', 'Ada Admin'],
])('%j has characters that were copied by accident: %s', (text, kind, cleaned) => {
  expect(findStray(text)).toEqual({ kind, cleaned })
})

test.each([
  'Ada “Admin”',
  'O’Brien',
  '“one” and “two”',
  "'tis",
  '"',
  '""',
  ' ',
  'a b',
  '山田　太郎',
  '/data/a b/c',
])('%j is valid', text => {
  expect(findStray(text)).toBeUndefined()
})

test('no text takes long to check', () => {
  for (const piece of ['\u00a0', ' ', '“', '\n', 'é\u200d']) {
    findHidden(`a${piece.repeat(200_000)}b`, { lines: true })
    findStray(`a${piece.repeat(200_000)}b`)
  }
})

const file = 'test/field-cases/05-invisible.yaml'
const source = { name: file, bytes: readFileSync(file) }

test('a manifest with all of them has errors at the characters, warnings, and a fix for each', () => {
  const { ok, diagnostics } = loadManifest(source)
  expect(ok).toBe(false)
  expect(
    diagnostics
      .filter(({ code }) => code.startsWith('manifest/'))
      .map(({ code, place, message }) => [code, place?.start.line, place?.start.column, message]),
  ).toEqual([
    ['manifest/hidden-character', 15, 17, '`email` contains an invisible character: U+200B (zero-width)'],
    ['manifest/stray-character', 16, 15, '`fullName` is wrapped in quotes that are part of it'],
    ['manifest/stray-character', 35, 25, '`bucketName` begins or ends with a line break'],
    ['manifest/stray-character', 37, 21, '`region` begins or ends with a space'],
    ['manifest/stray-character', 38, 22, '`rootDir` has a no-break space'],
  ])
  const { source: fixed } = fixManifest(source, [], diagnostics)
  const after = loadManifest(fixed).diagnostics
  expect(after.map(({ code }) => code)).toEqual(['manifest/hidden-character', 'volume/size-unused'])
  expect(Buffer.from(fixed.bytes).toString()).toContain(
    'bucketName: gis-objects\n            region: "us-east-1"\n            rootDir: prod a',
  )
})
