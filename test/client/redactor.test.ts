import {
  redactDeep,
  redactFailure,
  redactObservation,
  redactReply,
} from '../../src/client/redact/redacted.js'
import {
  maxSecretBytes,
  noSecrets,
  redactionFor,
  redactOnly,
  redactorFor,
} from '../../src/client/redact/redactor.js'
import type { Observation } from '../../src/plan/observation.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { Secret, SecretFile } from '../../src/secrets/secret.js'
import { spellingNames, spellings } from '../support/spellings.js'

const password = 'Zürich-9+W %20q"7h&k2<L\\m/漢🗺'
const token = 'A7f_k2-Pq.Vx9Zt4Lm0RsYw3'
const key = `-----BEGIN-----\r\n${'MIGHAgEAMBMGByqGSM49\t'.repeat(8)}\n`
const secrets = { password, token, key }

function redact(text: string, values: readonly string[] = Object.values(secrets)): string {
  const given = values.map(value => new Secret(Buffer.from(value)))
  const redactor = redactorFor(given)
  for (const secret of given) secret.wipe()
  return redactor(text)
}

describe.each(spellingNames)('a secret is redacted if a site repeats it %s', name => {
  const spell: (body: Buffer) => string = spellings[name]

  test.each(Object.entries(secrets))('by itself: %s', (_, secret) => {
    const said = spell(Buffer.from(secret))
    expect(redact(`refused: ${said} is wrong`)).toMatch(/^refused: (?:body=)?["\\]*\*\*\*["\\]* is wrong$/)
  })

  test.each(Object.entries(secrets))('within a request: %s', (_, secret) => {
    const said = spell(Buffer.from(`username=siteadmin&password=${secret}&email=admin@example.org`))
    const shown = redact(`refused: ${said} is wrong`)
    expect(shown).toMatch(/^refused: .*\*\*\*.* is wrong$/)
    const pieces = [...secret].map((_, at) => [...secret].slice(at, at + 8).join(''))
    const left = pieces
      .slice(0, -7)
      .filter(one => shown.includes(one) || shown.includes(spell(Buffer.from(one))))
    expect(left).toEqual([])
  })
})

test('all encodings of a text differ, so none is counted twice', () => {
  const body = Buffer.from(`x>> ${password} ${'é?> and more of it '.repeat(8)}`)
  expect(new Set(spellingNames.map(name => spellings[name](body))).size).toBe(spellingNames.length)
})

const odd = `Pa"s w+rd é1 %20`
const markup = `Tom's & <"Ann's">`
const controls = 'a\nb\rc\td\be\ff "/\\'
const base64 = Buffer.from(odd).toString('base64')

test.each<[string, { secret: string; text: string; rest: string }]>([
  ['twice', { secret: odd, text: `is ${odd}, twice ${odd}`, rest: 'is ***, twice ***' }],
  ['that is the whole text', { secret: odd, text: odd, rest: '***' }],
  ['within a word', { secret: 'x9z', text: 'ax9zb', rest: 'a***b' }],
  ['that overlaps itself', { secret: 'aba', text: 'xababaabay', rest: 'x******y' }],
  ['with short escapes of JSON', { secret: controls, text: JSON.stringify(controls), rest: '"***"' }],
  ['with an escaped slash', { secret: 'a/b/c', text: 'is a\\/b\\/c.', rest: 'is ***.' }],
  ['partly as numbers', { secret: markup, text: `Tom\\u0027s & \\u003C\\"Ann's\\">`, rest: '***' }],
  ['with a surrogate pair', { secret: 'a🗺b🗺', text: 'a\\ud83d\\uddfab\\uD83D\\uDDFA.', rest: '***.' }],
  ['between other escapes', { secret: 'a"b', text: '\\"\\u0061\\"\\u0062\\"', rest: '\\"***\\"' }],
  ['with `+` in a URL', { secret: 'a+b c', text: 'q=a+b%20c&r', rest: 'q=***&r' }],
  ['with `+` in a form', { secret: 'a b+c', text: 'q=a+b%2bc&r+s', rest: 'q=***&r+s' }],
  ['named', { secret: markup, text: '(Tom&apos;s &amp; &lt;&quot;Ann&apos;s&quot;&gt;)', rest: '(***)' }],
  ['in capitals', { secret: markup, text: 'Tom&#X27;s &AMP; &#x3C;&#34;Ann&#039;s&QUOT;&GT;', rest: '***' }],
  [
    'next to numbers without a character',
    { secret: 'a<b', text: '&#x110000;a&lt;b&#1114112;', rest: '&#x110000;***&#1114112;' },
  ],
  ['after a name', { secret: odd, text: `Basic ${base64}, was wrong`, rest: 'Basic ***, was wrong' }],
  ['of three bytes', { secret: 'x9z', text: 'Basic eDl6: no', rest: 'Basic ***: no' }],
  ['with padding', { secret: 'x9zy', text: 'Basic eDl6eQ==: no', rest: 'Basic ***: no' }],
  [
    'in lines of 64',
    { secret: key, text: Buffer.from(key).toString('base64').replaceAll(/.{64}/g, '$&\n'), rest: '***' },
  ],
  ['after a line of another length', { secret: odd, text: `Basic\n${base64}`, rest: 'Basic\n***' }],
  ['in hexadecimal of any case', { secret: 'x9zk', text: 'is 78397A6b.', rest: 'is ***.' }],
  ['in JSON in a form', { secret: 'a"b c', text: 'key=%22a%5C%22b+c%22', rest: 'key=%22***%22' }],
])('a secret %s is redacted', (_, { secret, text, rest }) => {
  expect(redact(text, [secret])).toBe(rest)
})

test('a secret that contains another one leaves no part, and adjacent ones are redacted one by one', () => {
  expect(redact('is opensesame-4711.', ['sesame', 'opensesame-4711', 'same-4'])).toBe('is ***.')
  expect(redact('is abcdefxyz.', ['abcd', 'cdef', 'xyz'])).toBe('is ******.')
})

test.each([
  ['a part of the secret', 'is opensesame.', 'opensesame-4711'],
  ['other letters', 'is OPENSESAME-4711.', 'opensesame-4711'],
  ['less than three bytes', 'crab', 'ab'],
  ['the same checksum', 'is Key-7i7k8o.', 'Key-g202ai'],
  ['a third encoding inside', `is ${btoa(btoa(btoa('opensesame-4711')))}.`, 'opensesame-4711'],
  [
    'no part of it',
    'crab: 100 % of ÄÖ€ + "x" \\ \u{1f600} %zz = \ud800 \\u12 &nosuch; &#xd800;',
    'opensesame',
  ],
])('a text with %s is unchanged', (_, text, secret) => {
  expect(redact(text, [secret])).toBe(text)
})

test('for a file with a secret in it, such as a license, only the long words are redacted', () => {
  const key = 'A1B2-C3D4-E5F6-G7H8'
  const redact = redactorFor([new Secret(Buffer.from(JSON.stringify({ key, version: '11.2' })))])
  expect(redact(`The license ${key} of version 11.2 has expired.`)).toBe(
    'The license *** of version 11.2 has expired.',
  )
})

test('a word is long from sixteen bytes on, and every long word of a file is redacted', () => {
  const [long, short] = ['abcdefghijklmnop', 'abcdefghijklmno']
  expect(redact(`is ${long} or ${short}`, [`{${long}:\n"${short}"}`])).toBe(`is *** or ${short}`)
  const lines = Array.from({ length: 5000 }, (_, at) => `line-of-a-certificate-${'x'.repeat(at % 150)}${at}`)
  const key = 'KEY-0123-4567-89'
  const [first = '', last = ''] = [lines[0], lines.at(-1)]
  const file = [...lines, key].join('\n').slice(0, maxSecretBytes)
  expect(redact(`${first} ${last} ${key}`, [[key, ...lines.slice(0, 1000), last].join('\n')])).toBe(
    '*** *** ***',
  )
  expect(redact(first, [file])).toBe('***')
})

test('a text that is longer than 65,536 characters is not shown', () => {
  expect(redact('a'.repeat(65_536), ['xyz'])).toHaveLength(65_536)
  expect(redact('a'.repeat(65_537), ['xyz'])).toBe('***')
})

test('without a secret a text is unchanged', () => {
  const long = 'Key-4711 '.repeat(10_000)
  expect(redactorFor([])).toBe(noSecrets)
  expect(noSecrets(long)).toBe(long)
})

test('a secret that no text can contain needs no redactor', () => {
  const redactorOf = (length: number) => redactorFor([new Secret(Buffer.alloc(length, 'x'))])
  expect([2, maxSecretBytes + 1].map(length => redactorOf(length) === noSecrets)).toEqual([true, true])
  const longest = '漢'.repeat(65_536)
  expect(Buffer.byteLength(longest)).toBe(maxSecretBytes)
  expect(redact(longest, [longest])).toBe('***')
})

test('every secret of a request is redacted if it is in memory', () => {
  const file = { byteLength: 1, isUnchanged: async () => true, read: async () => 0, close: () => undefined }
  const { redact: redactAll, isComplete } = redactionFor(
    new Map<JsonPointer, Secret | SecretFile>([
      ['/spec/administrator/password', new Secret(Buffer.from(password))],
      ['/spec/license/file', new Secret(Buffer.from('{"license":"4711"}'))],
      ['/spec/license/serverFile', new SecretFile(file)],
    ]),
  )
  expect(redactAll(`${password} of {"license":"4711"}`)).toBe('*** of ***')
  // A file that was opened but not read may be quoted.
  expect(isComplete).toBe(false)
})

describe('in a response', () => {
  const hide = redactorFor(['completed', '11.2', 'opensesame'].map(text => new Secret(Buffer.from(text))))

  test('only texts and names are redacted', () => {
    const value = { a: ['opensesame', 4711, null, true], 'opensesame b': { c: 'x opensesame' } }
    expect(redactDeep(value, hide)).toEqual({ a: ['***', 4711, null, true], '*** b': { c: 'x ***' } })
    expect(redactDeep('opensesame', hide)).toBe('***')
  })

  test('a value nested below 51 others is omitted', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'opensesame' : [nested(depth - 1)])
    const depths = [50, 51, 52].map(depth => JSON.stringify(redactDeep(nested(depth), hide)))
    expect(depths.map(text => text.replaceAll(/[[\]]/g, ''))).toEqual(['"***"', '"***"', 'null'])
  })

  test("texts of the site in a failure are redacted, and Landform's own are not", () => {
    const refused = { kind: 'refused', status: 200, code: 400, message: 'no: opensesame' } as const
    expect(redactFailure(refused, redactOnly(hide))).toEqual({ ...refused, message: 'no: ***' })
    const words = redactorFor(
      ['unauthorized', 'not-sent', 'tls', 'account-rejected', 'CERT_1', 'not-understood', 'compressed'].map(
        text => new Secret(Buffer.from(text)),
      ),
    )
    const failures = [
      { kind: 'unauthorized', status: 400, message: '', reason: 'account-rejected' },
      { kind: 'not-understood', status: 200, reason: 'compressed' },
    ] as const
    expect(failures.map(one => redactFailure(one, redactOnly(words)))).toEqual(failures)
    const notSent = { kind: 'not-sent', cause: 'tls', reason: 'CERT_1' } as const
    expect(redactFailure(notSent, redactOnly(words))).toEqual({ ...notSent, reason: '***' })
  })

  test('a value that was read is not changed, and a failure is redacted', () => {
    const read = { ok: true, value: 'opensesame' } as const
    expect(redactReply(read, redactOnly(hide))).toBe(read)
    const error = { kind: 'trouble', status: 503, message: 'opensesame' } as const
    expect(redactReply({ ok: false, error }, redactOnly(hide))).toEqual({
      ok: false,
      error: { ...error, message: '***' },
    })
    expect(redactObservation({ ok: false, error }, redactOnly(hide))).toEqual({
      ok: false,
      error: { ...error, message: '***' },
    })
  })

  test.each<[Observation, Observation]>([
    [
      {
        kind: 'unrecognized',
        state: 'opensesame',
        version: '11.2',
        warnings: ['is completed'],
        stages: [
          { name: 'opensesame', state: 'opensesame' },
          { name: 'Queue store', state: 'completed', startTime: 1 },
        ],
        contradiction: { kind: 'warning', text: 'opensesame' },
      },
      {
        kind: 'unrecognized',
        state: '***',
        version: '11.2',
        warnings: ['is ***'],
        stages: [
          { name: '***', state: '***' },
          { name: 'Queue store', state: 'completed', startTime: 1 },
        ],
        contradiction: { kind: 'warning', text: '***' },
      },
    ],
    [
      {
        kind: 'unrecognized',
        state: 'x',
        warnings: [],
        stages: [],
        contradiction: { kind: 'stage', name: 'opensesame', state: 'opensesame' },
      },
      {
        kind: 'unrecognized',
        state: 'x',
        warnings: [],
        stages: [],
        contradiction: { kind: 'stage', name: '***', state: '***' },
      },
    ],
    [
      { kind: 'ready', version: 'v 11.2', message: 'opensesame', warnings: [], stages: [] },
      { kind: 'ready', version: 'v ***', message: '***', warnings: [], stages: [] },
    ],
  ])('every text of an observation is redacted, except for documented values', (seen, rest) => {
    expect(redactObservation({ ok: true, value: seen }, redactOnly(hide))).toEqual({ ok: true, value: rest })
  })
})
