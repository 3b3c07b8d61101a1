import { expect, test } from '@jest/globals'
import { blotterFor } from '../../src/client/without-secrets.js'
import { Secret } from '../../src/secrets/secret.js'

const password = 'Pa"ss/w+rd é1 %20'
const odd = "it's (1) <secret>"
// The one that another holds comes first: it must not leave pieces of that one behind.
const secrets = [
  new Secret(Buffer.from(odd)),
  new Secret(Buffer.from('rd é')),
  new Secret(Buffer.from(password)),
  new Secret(Buffer.from('ab')),
]
const blot = blotterFor(secrets)
for (const secret of secrets) secret.wipe()
const base64 = Buffer.from(password).toString('base64')

/** The secrets were wiped by now. */
test.each<[string, string, string]>([
  ['as it is', `is ${password}, twice ${password}`, 'is ***, twice ***'],
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
])('a secret is blotted out %s', (_, text, rest) => {
  expect(blot(text)).toBe(rest)
})

test('a text without a secret stays, also where it has letters of a very short one', () => {
  const text = 'crab: 100 % of ÄÖ€ + "x" \\ \u{1f600} %zz ='
  expect(blot(text)).toBe(text)
})
