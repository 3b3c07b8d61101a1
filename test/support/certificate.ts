import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto'

/** A certificate and its key as a TLS server takes them. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Somebody who signs certificates. */
export interface Authority extends Certificate {
  /** A certificate for a host name. RFC 5280, version 1: the name stands in the subject. */
  issue(name: string, validUntil?: string): Certificate
}

/** A certificate for `127.0.0.1` made on the spot, so that no key lies in the repository. */
export function aCertificate(signedBy: 'itself' | 'an unknown authority'): Certificate {
  return signedBy === 'itself' ? anAuthority('127.0.0.1') : anAuthority('Nobody knows me').issue('127.0.0.1')
}

/** An authority that nobody knows until its certificate is named. */
export function anAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = (subject: string, keys: KeyPairKeyObjectResult, validUntil: string): Certificate => {
    const content = sequence(
      encoded(0x02, randomBytes(8).fill(1, 0, 1)),
      ecdsaWithSha256,
      commonName(name),
      sequence(time('200101000000Z'), time(validUntil)),
      commonName(subject),
      keys.publicKey.export({ type: 'spki', format: 'der' }),
    )
    const signature = encoded(
      0x03,
      Buffer.concat([Buffer.from([0]), sign('sha256', content, own.privateKey)]),
    )
    const whole = sequence(content, ecdsaWithSha256, signature)
    return {
      cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
      key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
  }
  return {
    ...signed(name, own, farAway),
    issue: (subject, validUntil = farAway) =>
      signed(subject, generateKeyPairSync('ec', { namedCurve: 'P-256' }), validUntil),
  }
}

const farAway = '491231235959Z'

const ecdsaWithSha256 = sequence(encoded(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

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

/** Tag, length and value. Nothing here is longer than two bytes can say. */
function encoded(tag: number, value: Buffer): Buffer {
  const { byteLength } = value
  const length = byteLength < 128 ? [byteLength] : [0x82, byteLength >> 8, byteLength & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}
