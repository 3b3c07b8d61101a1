import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its key, in the form that a TLS server takes. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** The content of a certificate beside its subject. RFC 5280. */
export interface CertificateWishes {
  /** UTCTime. */
  readonly from?: string
  readonly until?: string
  /** Host names and addresses. Without them, only the subject has the name, as in version 1. */
  readonly names?: readonly string[]
  /** True if it may sign other certificates. Version 1 has no field for that. */
  readonly isAuthority?: true
  /** Default: a P-256 key pair. */
  readonly keys?: KeyPairKeyObjectResult
  readonly digest?: 'sha1'
}

/** A certificate authority. */
export interface Authority extends Certificate {
  issue(name: string, wishes?: CertificateWishes): Authority
}

/** Creates a certificate for `127.0.0.1`, so the repository contains no key. */
export function aCertificate(signedBy: 'itself' | 'an unknown authority'): Certificate {
  return signedBy === 'itself' ? anAuthority('127.0.0.1') : anAuthority('Nobody knows me').issue('127.0.0.1')
}

/** Creates an authority that clients trust only if they are given its certificate. */
export function anAuthority(name: string, wishes: CertificateWishes = {}): Authority {
  const keys = wishes.keys ?? curveKeys()
  return certified({ name, wishes, keys }, { name, keys })
}

/** Creates a key that TLS rejects as too weak, although it can still be generated. */
export function weakKeys(): KeyPairKeyObjectResult {
  return generateKeyPairSync('rsa', { modulusLength: 768 })
}

function curveKeys(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

interface Signer {
  readonly name: string
  readonly keys: KeyPairKeyObjectResult
}

function certified(subject: Signer & { readonly wishes: CertificateWishes }, by: Signer): Authority {
  const { name, keys, wishes } = subject
  const { from = '200101000000Z', until = '491231235959Z', digest = 'sha256' } = wishes
  const more = extensions(wishes)
  const content = sequence(
    ...(more.length > 0 ? [encoded(0xa0, encoded(0x02, Buffer.from([2])))] : []),
    encoded(0x02, randomBytes(8).fill(1, 0, 1)),
    signatures[digest],
    commonName(by.name),
    sequence(time(from), time(until)),
    commonName(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(more.length > 0 ? [encoded(0xa3, sequence(...more))] : []),
  )
  const signature = encoded(
    0x03,
    Buffer.concat([Buffer.from([0]), sign(digest, content, by.keys.privateKey)]),
  )
  const whole = sequence(content, signatures[digest], signature)
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: (other, wishes = {}) =>
      certified({ name: other, wishes, keys: wishes.keys ?? curveKeys() }, { name, keys }),
  }
}

function extensions({ names = [], isAuthority }: CertificateWishes): readonly Buffer[] {
  const hosts = names.map(name => {
    const family = isIP(name)
    if (family === 0) return encoded(0x82, Buffer.from(name))
    if (family === 4) return encoded(0x87, Buffer.from(name.split('.').map(Number)))
    throw new Error(`not an address of version 4: ${name}`)
  })
  const isOne = sequence(encoded(0x01, Buffer.from([0xff])))
  return [
    ...(isAuthority ? [extension('551d13', isOne)] : []),
    ...(hosts.length > 0 ? [extension('551d11', sequence(...hosts))] : []),
  ]
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(encoded(0x06, Buffer.from(identifier, 'hex')), encoded(0x04, value))
}

/** ECDSA only, because every signer here has an elliptic curve key. */
const signatures = {
  sha256: sequence(encoded(0x06, Buffer.from('2a8648ce3d040302', 'hex'))),
  sha1: sequence(encoded(0x06, Buffer.from('2a8648ce3d0401', 'hex'))),
} as const

function commonName(name: string): Buffer {
  const type = encoded(0x06, Buffer.from('550403', 'hex'))
  return sequence(encoded(0x31, sequence(type, encoded(0x0c, Buffer.from(name)))))
}

function time(text: string): Buffer {
  return encoded(0x17, Buffer.from(text))
}

function sequence(...members: readonly Buffer[]): Buffer {
  return encoded(0x30, Buffer.concat(members))
}

/** Encodes tag, length and value. The length has its shortest form, which Go requires; two bytes are enough here. */
function encoded(tag: number, value: Buffer): Buffer {
  const { byteLength } = value
  const length =
    byteLength < 128
      ? [byteLength]
      : byteLength < 256
        ? [0x81, byteLength]
        : [0x82, byteLength >> 8, byteLength & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}
