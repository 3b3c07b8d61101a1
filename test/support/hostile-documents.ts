/** A document that must do no harm when it is checked. */
interface HostileDocument {
  readonly name: string
  readonly content: string | Uint8Array
  /** The code of one of its diagnostics; empty for any. */
  readonly code: string
}

/** The beginning of every secret below, which no output may contain. */
export const canary = 'hunter2'

const times = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join('')
const head = 'apiVersion: landform.dev/v1\nkind: SiteDeployment\nmetadata: { name: production }\n'
const spec = (fields: string) => `${head}spec: { ${fields} }\n`
const quotedLong = (piece: string, size = 10_000) => `"${piece.repeat(Math.ceil(size / piece.length))}"`
const commands = [
  '::error::x',
  '::stop-commands::x',
  '##[error]x',
  '##vso[task.setvariable variable=a]b',
  "##teamcity[blockOpened name='a']",
]
const escapes = String.raw`\e[31mred\e[0m\a\b\x9b31m\u202e\u2066\u200b\u2028\u0085\r\ud800\0`
const bomb = [...'bcdefghij'].reduce(
  (text, name, level) => `${text}${name}: &${name} [${`*${'abcdefghij'[level]},`.repeat(9)}]\n`,
  'a: &a [x,x,x,x,x,x,x,x,x]\n',
)

const text: Readonly<Record<string, readonly [string, string]>> = {
  'nothing at all': ['', 'yaml/empty'],
  'nothing but line breaks': ['\n'.repeat(250_000), 'yaml/too-large'],
  'more than the cap': [`a: 1\n${'#'.repeat(256 * 1024)}`, 'yaml/too-large'],
  'deep lists in flow style': ['['.repeat(100_000), 'yaml/too-large'],
  'deep maps in flow style': ['{a: '.repeat(60_000), 'yaml/too-large'],
  'deep lists in block style': ['- '.repeat(50_000), 'yaml/too-large'],
  'deep maps in block style': [times(500, level => `${' '.repeat(level)}a:\n`), 'yaml/too-large'],
  'deep keys': ['? '.repeat(50_000), 'yaml/too-large'],
  'many keys': [`kind: x\n${times(9000, at => `key${at}: 1\n`)}`, 'manifest/unknown-field'],
  'many keys beside the right ones': [
    `${head}spec:\n${times(9000, at => `  key${at}: 1\n`)}`,
    'manifest/wrong-type',
  ],
  'one key again and again': ['a: 1\n'.repeat(9000), 'yaml/duplicate-key'],
  'more values than any manifest': [`a: [${'1,'.repeat(45_000)}]`, 'yaml/too-large'],
  'more brackets than any manifest': [`[${'[],'.repeat(80_000)}]`, 'yaml/too-large'],
  'an alias bomb': [bomb, 'yaml/too-large'],
  'a list that holds itself': ['a: &x [*x]', 'yaml/unsupported'],
  'maps that hold each other': ['a: &x { b: &y { c: *x, d: *y } }', 'yaml/unsupported'],
  'very many aliases': [`a: &a 1\nb: [${'*a,'.repeat(30_000)}]`, 'yaml/too-large'],
  '50,000 anchors': [`[${times(50_000, () => '&a ,')}]`, 'yaml/too-large'],
  'a long line': [`kind: x\na: ${'b '.repeat(120_000)}`, 'manifest/unknown-field'],
  'a long key': [`{ ${'a'.repeat(130_000)}: [${'1,'.repeat(9000)}] }`, 'yaml/too-large'],
  'a long key that is asked for': [`? ${'a'.repeat(130_000)}\n: [${'1,'.repeat(9000)}]`, 'yaml/too-large'],
  'long keys in long keys': [
    `${times(30, at => `{ ${'k'.repeat(1000)}${at}: `)}[${'1,'.repeat(9000)}]${'}'.repeat(30)}`,
    'yaml/too-large',
  ],
  'a long anchor': [`kind: x\na: &${'x'.repeat(250_000)} 1`, 'manifest/unknown-field'],
  'a long tag': [`a: !${'%41'.repeat(80_000)} 1`, 'yaml/unsupported'],
  '100,000 comments': [`${'#\n'.repeat(100_000)}a: 1`, 'yaml/too-large'],
  'comments that look like secrets': [
    `${`#${'key-'.repeat(99)}\n`.repeat(600)}kind: x\na: 1`,
    'manifest/unknown-field',
  ],
  'keys of prototypes': [
    '__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\nprototype: 1',
    'yaml/unsupported',
  ],
  'methods of objects for fields': [
    spec('toString: 1, hasOwnProperty: 1, valueOf: 1'),
    'manifest/wrong-type',
  ],
  'an unknown tag': ['a: !mail x', 'yaml/unsupported'],
  'a tag for bytes': ['a: !!binary aGk=', 'yaml/unsupported'],
  'a tag for code': ['a: !!js/function "function () { process.exit(0) }"', 'yaml/unsupported'],
  'a tag of Python': ['!!python/object/apply:os.system ["id"]', 'yaml/unsupported'],
  'very many tags': ['!a '.repeat(80_000), 'yaml/too-large'],
  'several documents': [`${head}---\n${head}`, 'yaml/several-documents'],
  'a document behind an empty one': [`${head}---\n---\n${head}`, 'yaml/several-documents'],
  'very many documents': ['---\n'.repeat(60_000), 'yaml/too-large'],
  'a directive that chooses another YAML': ['%YAML 1.1\n---\na: yes\n', 'manifest/foreign-file'],
  'a directive that renames tags': ['%TAG ! tag:evil.example,2000:\n---\na: !x y\n', 'yaml/unsupported'],
  'very many directives': ['%a\n'.repeat(80_000), 'yaml/too-large'],
  'a merge key': ['a: &x { b: 1 }\nc:\n  <<: *x\n', 'yaml/unsupported'],
  'a byte order mark in the middle': [`${head}\ufeffspec: {}\n`, 'manifest/unknown-field'],
  'line ends of every kind': ['apiVersion: a\rkind: b\r\nspec: c\nmetadata: d\n\r\n', 'yaml/syntax'],
  'nothing but carriage returns': ['\r'.repeat(250_000), 'manifest/wrong-type'],
  'nothing but line separators': ['\u2028'.repeat(85_000), 'manifest/wrong-type'],
  'tabs that indent': ['a:\n\tb: 1', 'yaml/syntax'],
  'nothing but tabs': [`${'\t'.repeat(200_000)}a: 1`, 'yaml/syntax'],
  'a NUL': ['a: \0', 'yaml/not-text'],
  'lone surrogates in escapes': [spec(String.raw`"\ud800": "\udc00"`), 'manifest/unknown-field'],
  'numbers where text belongs': [
    spec(
      'site: { url: 1e10, version: 11.2 }, administrator: { username: 0123456789, email: 9007199254740993 }',
    ),
    'manifest/wrong-type',
  ],
  'a number of 250,000 digits': [`a: ${'9'.repeat(250_000)}`, 'yaml/unsupported'],
  'nearly a number of 250,000 digits': [`a: ${'1'.repeat(250_000)}x`, 'manifest/foreign-file'],
  'a list as a key': ['? [a, b]\n: c', 'yaml/unsupported'],
  'a map as a key': ['{ { a: b }: c }', 'yaml/unsupported'],
  'a quote without an end': [`password: "${canary}`, 'yaml/syntax'],
  'a single quote without an end': [`${head}spec: '${canary}\n`, 'yaml/syntax'],
  'a list without an end': [`password: [${canary}`, 'yaml/syntax'],
  'a map without an end': [`{ password: ${canary}`, 'yaml/syntax'],
  'quotes and nothing else': ['"'.repeat(90_000), 'yaml/syntax'],
  'escapes that do not exist': [`a: "${'\\q'.repeat(100_000)}"`, 'yaml/syntax'],
  '5,000 mistakes': [spec(`volumes: { ${times(5000, at => `V${at}: ${at}, `)} }`), 'manifest/unknown-field'],
  '9,000 empty providers': [spec(`cloudStorage: [${'{},'.repeat(9000)}]`), 'manifest/missing-field'],
  'escapes for a terminal as a key': [spec(`"${escapes}": 1`), 'manifest/unknown-field'],
  'escapes for a terminal as a value': [spec(`profile: "${escapes}"`), 'manifest/hidden-character'],
  'raw characters of C1 and directions': [
    spec('profile: \u009b31m\u202eabc\u200b'),
    'manifest/hidden-character',
  ],
  'commands for CI systems as keys': [
    spec(commands.map(line => `"\\n${line}": 1`).join(', ')),
    'manifest/unknown-field',
  ],
  'commands for CI systems as values': [
    `${commands.map((line, at) => `k${at}: |\n  ${line}\n`).join('')}kind: |\n${commands.map(line => `  ${line}\n`).join('')}`,
    'manifest/hidden-character',
  ],
  'commands for CI systems at the start of lines': [
    `kind: x\n${commands.map(line => `"${line}": 1\n`).join('')}`,
    'manifest/unknown-field',
  ],
  'a very long value in a message': [
    spec(`profile: ${quotedLong('a', 200_000)}`),
    'manifest/value-not-allowed',
  ],
  templates: ['{{ .Values.password }}', 'yaml/unsupported'],
  'templates among braces': ['a: {{{{{{{{ x }}}}}}}}\n'.repeat(10_000), 'yaml/unsupported'],
  'secrets as values': [
    spec(`
      site: { token: ${canary}1, url: "https://u:${canary}2@h" },
      administrator: { password: [${canary}3], passwrd: ${canary}4, securityQuestion: { answer: { text: ${canary}5 } } },
      cloudStorage: [{ credential: { type: ACCESS-KEY, secret: { secretKey: { env: ${canary}6 }, accessKey: ${canary}7 } } }],
      dbPassword: ${canary}8, apiKey: ${canary}9, secretAnswer: &s ${canary}10, profile: *s }\n# password: ${canary}11`),
    'secret/literal',
  ],
  'secrets as keys': [
    spec(`
      site: { token: { ${canary}1: x }, url: "https://h/?token=${canary}2" },
      administrator: { password: { file: x, ${canary}3: { y: z } }, securityQuestion: { answer: { ${canary}4: 1 } } },
      cloudStorage: [{ credential: { type: HMAC-KEYS, secret: { secretKey: { ${canary}5: } } } }]`),
    'secret/reference',
  ],
  'secrets in lines of another kind': [
    `${head}spec:\n  site:\n    token: |\n      ${canary}1\n    password: >-\n      ${canary}2\n  administrator:\n    password: !!str ${canary}3\n    token: &t\n      - ${canary}4\n    answer: *t\n`,
    'yaml/unsupported',
  ],
  'a secret twice': [`password: ${canary}1\npassword: ${canary}2\n`, 'yaml/duplicate-key'],
  'a secret in a number': [
    spec(`administrator: { password: 0${'1234567890'}, token: 1e10 }`),
    'secret/literal',
  ],
}

/** Texts that make a careless pattern backtrack, for every field that a pattern checks. */
const slow: Readonly<Record<string, string>> = {
  'metadata.name': `${head.replace('production', quotedLong('a-'))}`,
  'metadata.name, of hyphens': `${head.replace('production', `"a${'-'.repeat(10_000)}"`)}`,
  'site.version': spec(`site: { version: ${quotedLong('1.')} }`),
  'site.url': spec(`site: { url: "https://${'a.'.repeat(10_000)}" }`),
  'site.url, of slashes': spec(`site: { url: "https://h${'/'.repeat(10_000)}%" }`),
  'site.url, of addresses': spec(`site: { url: ${quotedLong('://', 240_000)} }`),
  'a reference': spec(`site: { token: { env: "LANDFORM_${'A_'.repeat(10_000)}-" } }`),
  'a size': spec(`volumes: { BLOB: { size: "${'1'.repeat(10_000)}." } }`),
  'an address of a person': spec(`administrator: { email: "${'a.'.repeat(10_000)}@${'a.'.repeat(10_000)}" }`),
  'a path': spec(`license: { file: "${'../'.repeat(10_000)}\\u0007" }`),
  'a number': `a: ${'0.'.repeat(10_000)}`,
  'a template': `${'- '.repeat(20)}${': '.repeat(10_000)}`,
  'a line with a secret': `# ${'password: '.repeat(10_000)}\na: 1`,
}

const bytes: Readonly<Record<string, readonly number[]>> = {
  'a byte of Latin-1': [0x61, 0x3a, 0x20, 0xe4],
  'half a letter': [0x61, 0x3a, 0x20, 0xc3],
  'an overlong slash': [0x61, 0x3a, 0x20, 0xc0, 0xaf],
  'an overlong NUL': [0x61, 0x3a, 0x20, 0xc0, 0x80],
  'a surrogate in UTF-8': [0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80],
  'a letter beyond Unicode': [0x61, 0x3a, 0x20, 0xf4, 0x90, 0x80, 0x80],
  'UTF-16 of Windows': [0xff, 0xfe, 0x61, 0x00, 0x3a, 0x00],
  'UTF-16 without a mark': [0x00, 0x61, 0x00, 0x3a],
}

/** All hostile documents. None is a valid manifest. */
export const hostileDocuments: readonly HostileDocument[] = [
  ...Object.entries(text).map(([name, [content, code]]) => ({ name, content, code })),
  ...Object.entries(slow).map(([name, content]) => ({ name: `a slow text for ${name}`, content, code: '' })),
  ...Object.entries(bytes).map(([name, content]) => ({
    name,
    content: Uint8Array.from(content),
    code: 'yaml/not-text',
  })),
]
