import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its key as a TLS server takes them. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** What a certificate says beside whose it is. RFC 5280. */
export interface CertificateWishes {
  /** UTCTime. */
  readonly from?: string
  readonly until?: string
  /** Host names and addresses; without them the name stands in the subject alone, as in version 1. */
  readonly names?: readonly string[]
  /** Whether it may sign others; a certificate of version 1 does not say. */
  readonly isAuthority?: true
  /** Default: a pair of P-256. */
  readonly keys?: KeyPairKeyObjectResult
  readonly digest?: 'sha1'
}

/** Somebody who signs certificates. */
export interface Authority extends Certificate {
  issue(name: string, wishes?: CertificateWishes): Authority
}

/** A certificate for `127.0.0.1` made on the spot, so that no key lies in the repository. */
export function aCertificate(signedBy: 'itself' | 'an unknown authority'): Certificate {
  return signedBy === 'itself' ? anAuthority('127.0.0.1') : anAuthority('Nobody knows me').issue('127.0.0.1')
}

/** An authority that nobody knows until its certificate is named. */
export function anAuthority(name: string, wishes: CertificateWishes = {}): Authority {
  const keys = wishes.keys ?? curveKeys()
  return certified({ name, wishes, keys }, { name, keys })
}

/** A key that is too weak for any TLS of today, but not for making it. */
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

/** ECDSA, for who signs here has a key of a curve. */
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

/** Tag, length and value. The length is as short as it can be, which Go insists on; nothing here needs more than two bytes. */
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
