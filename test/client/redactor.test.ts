import { defaultMaxBytes } from '../../src/client/limit.js'
import { redactFailure } from '../../src/client/redact/redacted.js'
import { redactorFor, redactorForAll } from '../../src/client/redact/redactor.js'
import { Secret } from '../../src/secrets/secret.js'

const password = 'Pa"ss/w+rd é1 %20'
const odd = "it's (1) <secret>"
const base64 = Buffer.from(password).toString('base64')

/** By a redactor of its own, for one remembers what it redacted; the secrets are wiped before it is asked. */
function redact(text: string): string {
  // The one that another holds comes first: it must not leave pieces of that one behind.
  const secrets = [odd, 'rd é', password, 'ab'].map(one => new Secret(Buffer.from(one)))
  const redactor = redactorFor(secrets)
  for (const secret of secrets) secret.wipe()
  return redactor(text)
}

test.each<[string, string, string]>([
  ['as it is', `is ${password}, twice ${password}`, 'is ***, twice ***'],
  ['where a text begins with it', `${password} is wrong`, '*** is wrong'],
  ['within a word', `[password=${password}]`, '[password=***]'],
  ['as JSON has it', `{"password":${JSON.stringify(password)}}`, '{"password":"***"}'],
  ['as an address has it', `a=1&password=${encodeURIComponent(password)}&b=2`, 'a=1&password=***&b=2'],
  ['as a form has it', `${new URLSearchParams({ password })}`, 'password=***'],
  ['in a part of an address, where an apostrophe stays', `a=${encodeURIComponent(odd)} b`, '*** b'],
  ['with all of its text, where only parts of it were escaped', 'it\\u0027s (1) \\u003csecret>', '***'],
  ['with all of its text, as HTML has it', 'no: it&#39;s (1) &lt;secret&gt;', '***'],
  ['in base64', `Basic ${base64}, was wrong`, 'Basic ***, was wrong'],
  ['behind a name in base64', `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`, 'Basic ***'],
  ['in base64 of addresses', `key:${Buffer.from(password).toString('base64url')}`, 'key:***'],
])('a secret is redacted %s', (_, text, rest) => {
  expect(redact(text)).toBe(rest)
})

test('a text without a secret stays, also where it has letters of a very short one', () => {
  const text = 'crab: 100 % of ÄÖ€ + "x" \\ \u{1f600} %zz = \ud800'
  expect(redact(text)).toBe(text)
})

const redacted = (secret: string, text: string) => redactorFor([new Secret(Buffer.from(secret))])(text)
const controls = 'a\nb\rc\td\be\ff "/\\'
const markup = `Tom's & <"Ann's">`

test.each<[string, { secret: string; text: string; rest: string }]>([
  ['of three bytes', { secret: 'x9z', text: 'a x9z b', rest: 'a *** b' }],
  ['that overlaps itself, from where it began', { secret: 'aaa', text: 'aaaaa', rest: '***aa' }],
  [
    'with control characters as JSON has them',
    { secret: controls, text: JSON.stringify(controls), rest: '"*** \\"/\\\\"' },
  ],
  [
    'with marks as HTML names them',
    { secret: markup, text: 'Tom&apos;s &amp; &lt;&quot;Ann&apos;s&quot;&gt;', rest: '***' },
  ],
  [
    'with marks as HTML numbers them',
    { secret: markup, text: 'Tom&#x27;s &#38; &#x3c;&#x22;Ann&#39;s&#34;&#x3E;', rest: '***' },
  ],
])('a secret %s is redacted', (_, { secret, text, rest }) => {
  expect(redacted(secret, text)).toBe(rest)
})

test('a text that only has the same sum as a secret stays', () => {
  expect(redacted('Key-g202ai', 'Key-7i7k8o')).toBe('Key-7i7k8o')
})

test('of a failure the words of the site are redacted, and the rest stays', () => {
  const refused = { kind: 'refused', status: 200, code: 400, message: `no: ${password}` } as const
  expect(redactFailure(refused, redact)).toEqual({ ...refused, message: 'no: ***' })
  const trouble = { kind: 'trouble', status: 503 } as const
  expect(redactFailure(trouble, redact)).toEqual(trouble)
})

test('of what a request is made with, passwords are found by any part and licenses by long pieces', () => {
  const license = Array.from({ length: 20 }, (_, at) => `feature ${at} of many`).join('\n')
  const redactAll = redactorForAll(
    new Map([
      ['/spec/administrator/password', new Secret(Buffer.from(password))],
      ['/spec/license/file', new Secret(Buffer.from(license))],
    ]),
  )
  expect(redactAll(`${password} has feature 7 of many`)).toBe('*** has feature 7 of many')
  expect(redactAll('no: Pa"ss/w is wrong')).toBe('no: *** is wrong')
  expect(redactAll(`no: ${license}`)).toBe('***')
  expect(redactAll(`no: ${Buffer.from(license).toString('base64')}`)).toBe('***')
})

test('only the parts are redacted that a text has in clear', () => {
  expect(redacted('opensesame-4711', 'is opensesa, öpense and esame-4711.')).toBe('is ***, *** and ***.')
})

test('without a secret a text stays as it is', () => {
  const long = 'Key-4711 '.repeat(10_000)
  expect(redactorFor([])(long)).toBe(long)
  expect(redactorFor([])('Key-4711')).toBe('Key-4711')
  expect(redactorFor([], { licenses: [] })('Key-4711')).toBe('Key-4711')
})

test('what is longer than an answer is in none', () => {
  const long = 'Key-4711 '.repeat(defaultMaxBytes / 8)
  expect(redacted(long, 'Key-4711')).toBe('Key-4711')
})
