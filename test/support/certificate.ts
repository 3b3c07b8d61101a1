import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate and its key as a TLS server takes them. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate for `127.0.0.1` made on the spot, so that no key lies in the repository. RFC 5280, version 1. */
export function aCertificate(signedBy: 'itself' | 'an unknown authority'): Certificate {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authority = signedBy === 'itself' ? own : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = name('127.0.0.1')
  const content = sequence(
    encoded(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    signedBy === 'itself' ? subject : name('Nobody knows me'),
    sequence(time('200101000000Z'), time('491231235959Z')),
    subject,
    own.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, authority.privateKey)
  const whole = sequence(
    content,
    ecdsaWithSha256,
    encoded(0x03, Buffer.concat([Buffer.from([0]), signature])),
  )
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const ecdsaWithSha256 = sequence(encoded(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

function name(common: string): Buffer {
  const commonName = encoded(0x06, Buffer.from('550403', 'hex'))
  return sequence(encoded(0x31, sequence(commonName, encoded(0x0c, Buffer.from(common)))))
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
