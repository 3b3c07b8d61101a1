import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml, type YamlDocument } from '../../src/manifest/yaml-document.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { aSource, startOf } from '../support/changed-manifest.js'
import { root } from '../support/manifests.js'

const parse = (content: string | Uint8Array) => parseYaml(aSource(content))

function documentOf(content: string): YamlDocument {
  const { document, diagnostics } = parse(content)
  expect(diagnostics).toEqual([])
  if (document === undefined) throw new Error('no document and no diagnostic')
  return document
}

const readAs = (content: string): JsonValue => documentOf(content).value

/** The marked text, with its position. */
function marked(document: YamlDocument, pointer: JsonPointer, marks: 'key' | 'value'): string {
  const { start, end } = document.place(pointer, marks)
  const lines = document.text.split('\n')
  const text =
    start.line === end.line
      ? lines[start.line - 1]?.slice(start.column - 1, end.column - 1)
      : [
          lines[start.line - 1]?.slice(start.column - 1),
          ...lines.slice(start.line, end.line - 1),
          lines[end.line - 1]?.slice(0, end.column - 1),
        ].join('\n')
  return `${start.line}:${start.column} ${text}`
}

describe('positions', () => {
  const block =
    'spec:\n  site:\n    url: "https://a"\n  folders:\n    - /a\n    - /b\n  text: |\n    one\n    two\n'
  const flow = 'spec: { site: { url: "https://a" }, folders: [/a, /b] }\n'

  test.each<[string, string, JsonPointer, 'key' | 'value', string]>([
    ['a key in block style', block, '/spec/site/url', 'key', '3:5 url'],
    ['a value in block style', block, '/spec/site/url', 'value', '3:10 "https://a"'],
    ['an element in block style', block, '/spec/folders/1', 'value', '6:7 /b'],
    ['an element, which has no key', block, '/spec/folders/1', 'key', '6:7 /b'],
    ['a block scalar from its indicator on', block, '/spec/text', 'value', '7:9 |\n    one\n    two\n'],
    ['a key in flow style', flow, '/spec/site/url', 'key', '1:17 url'],
    ['a value in flow style', flow, '/spec/site/url', 'value', '1:22 "https://a"'],
    ['a map in flow style', flow, '/spec/site', 'value', '1:15 { url: "https://a" }'],
    ['an element in flow style', flow, '/spec/folders/0', 'value', '1:47 /a'],
    ['the key around a missing value', flow, '/spec/site/version', 'value', '1:9 site'],
    [
      'the nearest key around a value that is missing at some depth',
      block,
      '/spec/upgrade/x/y',
      'value',
      '1:1 spec',
    ],
    ['the key of a value that is empty', 'a:\n  b:\n', '/a/b', 'value', '2:3 b'],
    ['a key in quotes', '"a/b~c": 1\n', '/a~1b~0c', 'key', '1:1 "a/b~c"'],
    ['an alias where it is written', 'a: &x 1\nb: *x\n', '/b', 'value', '2:4 *x'],
    ['a member of an alias where it was anchored', 'a: &x { y: 1 }\nb: *x\n', '/b/y', 'value', '1:12 1'],
    ['text after letters beyond the basic plane', 'a: { "🌍": 1, b: 2 }\n', '/a/b', 'key', '1:15 b'],
  ])('marks %s', (_, text, pointer, marks, expected) => {
    expect(marked(documentOf(text), pointer, marks)).toBe(expected)
  })

  test('are the same with Windows line ends', () => {
    const [unix, windows] = [documentOf(block), documentOf(block.replaceAll('\n', '\r\n'))]
    expect(windows.value).toEqual(unix.value)
    for (const pointer of ['/spec', '/spec/site/url', '/spec/folders/1'] as const)
      for (const marks of ['key', 'value'] as const)
        expect(windows.place(pointer, marks)).toEqual(unix.place(pointer, marks))
  })

  test('do not count a byte order mark', () => {
    const document = documentOf('\uFEFFa: 1\n')
    expect(document.value).toEqual({ a: 1 })
    expect(marked(document, '/a', 'key')).toBe('1:1 a')
  })
})

describe('values', () => {
  test.each<[string, JsonValue]>([
    ['a: yes', { a: 'yes' }],
    ['a: 2001-01-01', { a: '2001-01-01' }],
    ['a: true', { a: true }],
    ['a: ~', { a: null }],
    ['a:', { a: null }],
    ['a: 11.2', { a: 11.2 }],
    ['a: "11.2"', { a: '11.2' }],
    ['a: 012', { a: 12 }],
    ['{ a, b: }', { a: null, b: null }],
    ['- 1\n- [2]', [1, [2]]],
    ['a: >\n  one\n  two\n', { a: 'one two\n' }],
    ['constructor: 1\nprototype: 2', { constructor: 1, prototype: 2 }],
    ['a: &x [1, 2]\nb: *x\nc: *x', { a: [1, 2], b: [1, 2], c: [1, 2] }],
    ['--- \na: 1\n...\n', { a: 1 }],
    ['a: 1\n# the end', { a: 1 }],
  ])('%j is read as elsewhere', (text, value) => {
    expect(readAs(text)).toEqual(value)
  })

  test('do not change with a directive', () => {
    expect(parse('%YAML 1.1\n---\na: yes\n').document?.value).not.toEqual({ a: true })
  })
})

describe('YAML features that manifests do not have', () => {
  test.each<[string, string, string]>([
    ['a tag of the file', 'a: !mail x', 'yaml/unsupported 1:4'],
    ['a tag of YAML for text', 'a: !!str 1', 'yaml/unsupported 1:4'],
    ['a tag of YAML for numbers', 'a: !!int "1"', 'yaml/unsupported 1:4'],
    ['a tag for bytes', 'a: !!binary aGk=', 'yaml/unsupported 1:4'],
    ['a tag for times', 'a: !!timestamp 2001-01-01', 'yaml/unsupported 1:4'],
    ['a set', 'a: !!set {x, y}', 'yaml/unsupported 1:4'],
    ['ordered pairs', 'a: !!omap [x: 1]', 'yaml/unsupported 1:4'],
    ['a tag on a map', '!!map\na: 1', 'yaml/unsupported 1:1'],
    ['a merge key', 'a: &x { b: 1 }\nc:\n  <<: *x', 'yaml/unsupported 3:3'],
    ['a merge key in quotes', '"<<": { b: 1 }', 'yaml/unsupported 1:1'],
    ['a number as a key', '1: a', 'yaml/unsupported 1:1'],
    ['nothing as a key', ': a', 'yaml/unsupported 1:1'],
    ['a list as a key', '? [a]\n: b', 'yaml/unsupported 1:3'],
    ['an alias as a key', 'a: &x b\n*x : c', 'yaml/unsupported 2:1'],
    ['__proto__ as a key', 'a:\n  __proto__: { b: 1 }', 'yaml/unsupported 2:3'],
    ['infinity', 'a: -.inf', 'yaml/unsupported 1:4'],
    ['an invalid number', 'a: .nan', 'yaml/unsupported 1:4'],
    ['a number that is too large', 'a: 1e999', 'yaml/unsupported 1:4'],
    ['a list that contains itself', 'a: &x [*x]', 'yaml/unsupported 1:8'],
    ['a key twice', 'a: 1\nb: 2\na: 3', 'yaml/duplicate-key 3:1'],
    ['a key twice in different quotes', 'a: 1\n"a": 3', 'yaml/duplicate-key 2:1'],
    ['a key twice in a list', '- { a: 1, a: 2 }', 'yaml/duplicate-key 1:11'],
    ['a second document', 'a: 1\n---\nb: 2\n', 'yaml/several-documents 2:1'],
    ['a second document after the end of the first', 'a: 1\n...\n---\nb: 2\n', 'yaml/several-documents 3:1'],
    ['a second document that is not YAML', 'a: 1\n---\n[', 'yaml/several-documents 2:1'],
    ['a third document after an empty one', 'a: 1\n---\n---\nb: 2\n', 'yaml/several-documents 3:1'],
    ['a second document that is only a mistake', 'a: 1\n---\n@\n', 'yaml/several-documents 2:1'],
    ['an alias without an anchor', 'a: *x', 'yaml/syntax 1:4'],
    ['an alias before its anchor', 'a: *x\nb: &x 1', 'yaml/syntax 1:4'],
    ['a tab as indentation', 'a:\n\tb: 1', 'yaml/syntax 2:1'],
    ['an unclosed list', 'a: [1, 2', 'yaml/syntax 1:4'],
    ['an unclosed text', 'a: "b', 'yaml/syntax 1:4'],
    ['an escape that does not exist', 'a: "\\q"', 'yaml/syntax 1:5'],
    ['a map on the line of its key', 'a: b: c', 'yaml/syntax 1:4'],
    ['a stray quote before more lines', 'a: {}"\nb: 1\nc: 2\n', 'yaml/syntax 1:6'],
    ['nothing at all', '', 'yaml/empty 1:1'],
    ['just a comment', '# nothing', 'yaml/empty 1:1'],
    ['a NUL', 'a: \0', 'yaml/not-text 1:4'],
    ['a NUL in an escape', 'a: "\\0"\nb: [', 'yaml/syntax 2:4'],
  ])('%s is rejected at its position', (_, text, expected) => {
    const [first, ...more] = parse(text).diagnostics
    expect(first && `${first.code} ${startOf(first)}`).toBe(expected)
    expect(more).toEqual([])
  })

  test.each([
    ['a byte of Latin-1', [0x61, 0x3a, 0x20, 0xe4]],
    ['half a character', [0x61, 0x3a, 0x20, 0xc3]],
    ['a character in too many bytes', [0x61, 0x3a, 0x20, 0xc0, 0xaf]],
    ['half a surrogate', [0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
  ])('%s is not UTF-8', (_, bytes) => {
    expect(parse(new Uint8Array(bytes)).diagnostics.map(({ code }) => code)).toEqual(['yaml/not-text'])
  })

  test('no prototype is changed', () => {
    parse(
      '__proto__: { polluted: true }\na: { __proto__: { polluted: true } }\nconstructor: { prototype: { polluted: true } }',
    )
    expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined()
  })

  test('every problem is reported, not only the first', () => {
    const { diagnostics } = parse('a: 1\na: 2\n3: b\nc: .nan\n')
    expect(diagnostics.map(diagnostic => `${diagnostic.code} ${startOf(diagnostic)}`)).toEqual([
      'yaml/duplicate-key 2:1',
      'yaml/unsupported 3:1',
      'yaml/unsupported 4:4',
    ])
  })

  test('no text of the file is in messages about its syntax', () => {
    const { diagnostics } = parse('password: "hunter2\\q"\n')
    expect(diagnostics).toHaveLength(1)
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2')
  })
})

describe('the limits', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  test.each([
    ['a list in 32 lists', nested(33), []],
    ['a list in 33 lists', nested(34), ['yaml/too-large']],
    ['ten thousand values', `[${'1,'.repeat(9_999)}]`, []],
    ['more than ten thousand values', `[${'1,'.repeat(10_000)}]`, ['yaml/too-large']],
    ['many words and signs', `[${',1'.repeat(50_000)}]`, ['yaml/too-large']],
    ['a value below a key of any length', `{ ${'a'.repeat(200_000)}: 1 }`, []],
    ['many values below a long key', `{ ${'a'.repeat(200_000)}: [${'1,'.repeat(20)}] }`, ['yaml/too-large']],
    ['a hundred aliases', `a: &x 1\nb: [${'*x, '.repeat(100)}]`, []],
    ['a hundred and one aliases', `a: &x 1\nb: [${'*x, '.repeat(101)}]`, ['yaml/too-large']],
  ])('%s', (_, text, codes) => {
    expect(parse(text).diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  test('no file is larger than the limit, whatever its content', () => {
    const large = parse(`a: 1\n${'#'.repeat(1024 * 1024)}`)
    expect(large.document).toBeUndefined()
    expect(large.diagnostics.map(diagnostic => `${diagnostic.code} ${startOf(diagnostic)}`)).toEqual([
      'yaml/too-large 1:1',
    ])
  })
})

describe('hostile text', () => {
  const filled = (piece: string, size = 30_000) => piece.repeat(Math.floor(size / piece.length))
  const bomb = [...'bcdefghij'].reduce(
    (text, name, level) => `${text}${name}: &${name} [${`*${'abcdefghij'[level]},`.repeat(9)}]\n`,
    'a: &a [x,x,x,x,x,x,x,x,x]\n',
  )
  const hostile: readonly (readonly [string, string])[] = [
    ['an alias bomb', bomb],
    ['unclosed nested lists', filled('[')],
    ['nested lists', filled('[') + filled(']')],
    ['nested maps', filled('{a: ')],
    ['nested lists in block style', filled('- ')],
    ['nested keys', filled('? ')],
    ['a staircase of keys', Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['a very wide list', `[${filled('a,', 104_000)}]`],
    ['a list of empty elements', filled('-\n', 104_000)],
    ['one key, again and again', filled('a: 1\n')],
    ['very many keys that are not text', `{${Array.from({ length: 10_000 }, (_, key) => `${key}: 1`)}}`],
    ['very many tags', `[${filled('!a x,')}]`],
    ['very many aliases', `a: &a 1\nb: [${filled('*a,')}]`],
    ['very many lists, too deep', `${'['.repeat(33)}${filled('[],')}${']'.repeat(33)}`],
    ['very many documents', filled('---\na: 1\n')],
    ['a very long key', `${filled('a')}: 1`],
    ['tabs', `${filled('\t')}a: 1`],
    ['closing brackets', filled(']', 20_000)],
    ['braces', filled('{}', 20_000)],
    ['quotes', filled('"', 20_000)],
    ['escapes', `a: "${filled('\\x', 20_000)}"`],
    ['per cent signs', filled('%\n', 20_000)],
    ['exclamation marks', filled('!')],
    ['colons', filled(': ')],
  ]

  // If the time grows faster than the text, the test exceeds its limit.
  test.each(hostile)('%s is rejected with few diagnostics', (_, text) => {
    const { diagnostics } = parse(text)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThanOrEqual(200)
    expect(diagnostics.every(({ severity, place }) => severity === 'error' && place !== undefined)).toBe(true)
  })
})

// Running out of stack in the compilation of a regular expression ends the process, depending on the depth of the call:
// many depths are tried, in a separate process.
test('no nesting depth ends the process', () => {
  const script = `
    import { parseYaml } from ${JSON.stringify(new URL('../../src/manifest/yaml-document.js', import.meta.url))}
    const called = (depth, source) => (depth === 0 ? parseYaml(source) : called(depth - 1, source))
    const codes = ['[', '{a: ', '- ', '? '].flatMap(piece => {
      const source = { name: 'site.yaml', bytes: Buffer.from(piece.repeat(2_000)) }
      return Array.from({ length: 30 }, (_, depth) => called(depth, source).diagnostics[0].code)
    })
    console.log(JSON.stringify([...new Set(codes)]))`
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(child.stdout).toBe('["yaml/too-large"]\n')
  expect(child.status).toBe(0)
})

test.each([
  ['a: {{ .Values.x }}', 1, 4],
  ['a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}', 2, 1],
  ['a:\n  - {{ x }}', 2, 5],
])('a template is reported once, where it begins: %j', (text, line, column) => {
  const { diagnostics } = parseYaml(aSource(text))
  expect(diagnostics).toMatchObject([{ code: 'yaml/unsupported', place: { start: { line, column } } }])
})

test.each(['a: "{{ x }}"', '# {{ x }}\na: 1', 'a: say {{ x }}', 'a: 1\n---\n', 'a: 1\n---'])(
  'double braces in text, and a line of dashes at the end, are no problem: %j',
  text => {
    expect(parseYaml(aSource(text)).diagnostics).toEqual([])
  },
)

test('too many aliases are reported once', () => {
  const text = `a: &a 1\nb: [${Array.from({ length: 500 }, () => '*a').join(', ')}]\n`
  expect(parseYaml(aSource(text)).diagnostics.map(({ code }) => code)).toEqual(['yaml/too-large'])
})

describe('a line with one space too many', () => {
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const keys = text.split('\n').flatMap((line, at) => (/^ *[A-Za-z]/.test(line) ? [at] : []))

  test.each(keys)('is reported itself, as line %# of the example shows', at => {
    const lines = text.split('\n').map((line, index) => (index === at ? ` ${line}` : line))
    const [diagnostic] = parse(lines.join('\n')).diagnostics
    // The indentation of the only key of a map is arbitrary.
    if (diagnostic === undefined) return
    expect([diagnostic.place?.start.line, diagnostic.message]).toEqual([
      at + 1,
      expect.stringContaining('indented by'),
    ])
  })

  test('is not reported for another mistake', () => {
    const [diagnostic] = parse('a:\n   b: 1\nc:\n  d: e: f\n').diagnostics
    expect([diagnostic?.place?.start.line, diagnostic?.message]).toEqual([
      4,
      expect.not.stringContaining('indented by'),
    ])
  })
})

test.each([
  ['a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> main\n'],
  ['<<<<<<< HEAD\na: 1\n||||||| 1234567\n=======\na: 2\n>>>>>>> main\n'],
])('a merge conflict is reported as one: %j', text => {
  const [diagnostic] = parse(text).diagnostics
  expect(diagnostic).toMatchObject({
    message: 'invalid YAML: a merge conflict begins here',
    help: expect.stringContaining('keep one of the two sides'),
    place: { start: { line: text.split('\n').findIndex(line => line.startsWith('<')) + 1, column: 1 } },
  })
})
