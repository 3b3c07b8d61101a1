import { generateKeyPairSync } from 'node:crypto'
import type { TlsSettings } from '../../src/manifest/manifest.js'
import type { FileReply } from '../../src/secrets/file-jail.js'
import type { SecretSource } from '../../src/secrets/secret-source.js'
import { type TlsMaterial, withTlsMaterial } from '../../src/secrets/tls-material.js'
import { anAuthority } from '../support/certificate.js'

const authority = anAuthority('An authority of our own')
const own = authority.issue('landform')
const both: TlsSettings = {
  caFile: 'authority.pem',
  client: { certificate: 'own.pem', privateKey: { env: 'LANDFORM_TLS_KEY' } },
}
const files = { 'authority.pem': authority.cert, 'own.pem': own.cert }

function source(contents: Readonly<Record<string, string>>, key: string | undefined = own.key): SecretSource {
  const read = (path: string): FileReply =>
    contents[path] === undefined
      ? { kind: 'missing' }
      : { kind: 'read', bytes: Buffer.from(contents[path] ?? '') }
  return {
    variable: name => (name === 'LANDFORM_TLS_KEY' ? key : undefined),
    file: async ({ path }) => read(path),
    digest: async () => ({ kind: 'missing' }),
    pathOf: ({ path }) => path,
    standIn: () => undefined,
  }
}

async function complaints(tls: TlsSettings, from: SecretSource) {
  const reply = await withTlsMaterial(tls, from, () => undefined)
  const diagnostics = reply.ok ? [] : reply.error
  return diagnostics.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`).join('\n')
}

describe('the material for TLS', () => {
  test('is passed as PEM, and wiped afterwards', async () => {
    let kept: TlsMaterial = {}
    const reply = await withTlsMaterial(both, source(files), material => {
      kept = material
      return [material.authorities, material.client?.certificate, material.client?.key].map(String)
    })
    expect(reply).toEqual({ ok: true, value: [authority.cert, own.cert, own.key.trimEnd()] })
    expect(kept.client?.key.every(byte => byte === 0)).toBe(true)
  })

  test('may be several certificates in one file, with text in between', async () => {
    const chain = `my own\n${own.cert}and who signed it\n${authority.cert}`
    expect(await complaints(both, source({ ...files, 'own.pem': chain, 'authority.pem': chain }))).toBe('')
  })

  test('may be only a CA, or only a client certificate', async () => {
    expect(await complaints({ caFile: 'authority.pem' }, source(files))).toBe('')
    expect(await complaints({ ...(both.client && { client: both.client }) }, source(files))).toBe('')
  })
})

describe('invalid material for TLS', () => {
  const damaged = own.cert.replace(/\n[^-]{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  const encrypted = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'S3cret' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey

  test.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['a missing file', { 'own.pem': own.cert }, own.key, 'file/missing /spec/site/tls/caFile'],
    [
      'a file that is not PEM',
      { ...files, 'authority.pem': '\x30\x82binary' },
      own.key,
      'caFile names authority.pem, which contains no PEM certificate',
    ],
    [
      'a key next to the certificate',
      { ...files, 'own.pem': own.cert + own.key },
      own.key,
      'certificate names own.pem, which contains something other than certificates',
    ],
    ['a damaged certificate', { ...files, 'own.pem': damaged }, own.key, 'contains a damaged certificate'],
    ['a missing key', files, '', 'secret/missing /spec/site/tls/client/privateKey'],
    ['an invalid key', files, 'S3cret', 'secret/malformed /spec/site/tls/client/privateKey'],
    ['a key with a passphrase', files, encrypted, 'has a passphrase'],
    ['a key of another certificate', files, authority.key, 'does not match the certificate'],
  ])('is reported for %s, without the value', async (_what, contents, key, words) => {
    const said = await complaints(both, source(contents, key))
    expect(said.replaceAll('`', '')).toContain(words)
    expect(said).not.toContain('S3cret')
    expect(said).not.toContain(own.key.slice(40, 60))
  })

  test('is all reported together', async () => {
    const said = await complaints(both, source({ 'authority.pem': 'x', 'own.pem': 'x' }, 'x'))
    expect(said.split('\n').length).toBe(3)
  })

  test('may be complete and too weak for OpenSSL', async () => {
    const reply = await withTlsMaterial(both, source(files), () => {
      throw Object.assign(new Error('S3cret'), { code: 'ERR_SSL_EE_KEY_TOO_SMALL' })
    })
    expect(JSON.stringify(reply)).toContain('was rejected by OpenSSL (ERR_SSL_EE_KEY_TOO_SMALL)')
    expect(JSON.stringify(reply)).not.toContain('S3cret')
  })
})
