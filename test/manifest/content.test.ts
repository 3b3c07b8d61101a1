import { findForeignContent, isErrorAnswer } from '../../src/manifest/content.js'
import { looksLikeManifest } from '../../src/manifest/source.js'

const encrypted = 'ENC[AES256_GCM,data:YQ==,iv:aXY=,tag:dGFn,type:str]'

test.each([
  ['\0GITCRYPT\0abc', 'git-crypt'],
  ['age-encryption.org/v1\n-> X25519 abc', 'age'],
  ['-----BEGIN AGE ENCRYPTED FILE-----\nYWdl', 'age'],
  ['\n-----BEGIN PGP MESSAGE-----\n\nhQ', 'pgp'],
  ['$ANSIBLE_VAULT;1.1;AES256\n6132', 'ansible-vault'],
  ['Salted__abcdefgh', 'openssl'],
  ['U2FsdGVkX18=', 'openssl'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:4d7a', 'lfs'],
  ['/annex/objects/SHA256E-s1--4d7a', 'annex'],
  ['\ufeff<!DOCTYPE HTML><html>', 'web-page'],
  ['  <html lang="en">', 'web-page'],
  ['PK\x03\x04abc', 'archive'],
  [`kind: ${encrypted}\nsops:\n  mac: ${encrypted}\n`, 'sops'],
  [`{"kind": "${encrypted}", "sops": {"mac": "${encrypted}"}}`, 'sops'],
])('%j is foreign content, and is reported in a folder of manifests', (text, content) => {
  const bytes = Buffer.from(text)
  expect(findForeignContent(bytes)).toBe(content)
  expect(looksLikeManifest({ name: 'site.yaml', bytes })).toBe(true)
  expect(looksLikeManifest({ name: 'notes.txt', bytes })).toBe(false)
})

test.each(['{}', 'apiVersion: landform.dev/v1', 'sops: none', `password: ${encrypted}`, 'PK', 'version: 1'])(
  '%j is read as a manifest',
  text => {
    expect(findForeignContent(Buffer.from(text))).toBeUndefined()
  },
)

test('a Kubernetes secret that SOPS encrypted is foreign content as well', () => {
  const bytes = Buffer.from(`kind: Secret\nstringData:\n  a: ${encrypted}\nsops:\n  mac: ${encrypted}\n`)
  expect(looksLikeManifest({ name: 'secret.yaml', bytes })).toBe(false)
})

test('only the first and the last bytes of a large file are examined', () => {
  const [first, last] = [`{"a": "${encrypted}"`, '"sops": {}}'].map(part => Buffer.from(part))
  expect(findForeignContent(first ?? Buffer.of(), last)).toBe('sops')
})

test.each([
  ['{"error":{"code":498}}', true],
  ['\n{ "error" : 1 }', true],
  ['{"errors": []}', false],
  ['[]', false],
])('%j is an error body of a service: %j', (text, isError) => {
  expect(isErrorAnswer(Buffer.from(text))).toBe(isError)
})
