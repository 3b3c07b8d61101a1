import { referencePatterns } from '../../../src/manifest/references.js'
import { canariesOf, controlOf, wanted } from './canaries.js'
import { encodingNames, encodings } from './encodings.js'
import { scannerFor } from './scanner.js'

const canaries = canariesOf(1)
const all = wanted(canaries)
const scan = scannerFor(all)
const around = (bytes: Buffer) => Buffer.concat([Buffer.from('before: '), bytes, Buffer.from(' after')])

test.each(encodingNames)('each canary is found as %s, and as part of something larger', encoding => {
  for (const { name, value } of all)
    for (const bytes of encodings[encoding](value)) {
      const found = scan(around(bytes)).filter(({ canary }) => canary === name)
      expect([name, found.length > 0]).toEqual([name, true])
    }
})

test('eight characters of a secret are found, and seven are not', () => {
  const [first = ''] = [canaries.password.slice(5, 13)]
  expect(scan(Buffer.from(first))).toEqual([{ canary: 'password', encoding: 'raw', offset: 0 }])
  expect(scan(Buffer.from(first.slice(0, 7)))).toEqual([])
})

test('each secret is reported once per encoding, with its first offset', () => {
  const text = `12345 ${canaries.commentToken} ${canaries.commentToken}`
  expect(scan(Buffer.from(text))).toEqual([{ canary: 'commentToken', encoding: 'raw', offset: 6 }])
})

test('base64 is found at each of its three alignments', () => {
  for (const before of ['', 'x', 'xx']) {
    const text = Buffer.from(`${before}${canaries.secretKey}yy`).toString('base64')
    expect(scan(Buffer.from(text)).map(({ encoding }) => encoding)).toContain('base64')
  }
})

test('nothing is found in texts without a secret, nor in the common part of keys', () => {
  const others = canariesOf(2)
  const text = `${others.clientKey}${others.signKey} admin site x`
  expect(scan(Buffer.from(text + controlOf(1).value))).toEqual([])
})

test('the same seed makes the same canaries, and no two have a part in common', () => {
  const made = ({ clientKey: _, signKey: __, ...others }: typeof canaries) => others
  expect(made(canariesOf(1))).toEqual(made(canaries))
  for (const { name, value } of all)
    expect(scan(Buffer.from(value)).map(({ canary }) => canary)).toEqual([name])
})

test('every secret reference of a manifest has a canary', () => {
  const known: Readonly<Record<string, string>> = {
    '/spec/site/token': 'token',
    '/spec/site/signIn/password': 'signInPassword',
    '/spec/site/tls/client/privateKey': 'clientKey',
    '/spec/administrator/password': 'password',
    '/spec/administrator/securityQuestion/answer': 'answer',
    // By type of credential: accessKey, secretKey, storageAccountKey.
    '/spec/cloudStorage/*/credential/secret/*': 'accessKey',
  }
  expect([...referencePatterns].sort()).toEqual(Object.keys(known).sort())
})
