import type { Secret } from '../secrets/secret.js'
import { encodeJson } from './wire/json-bytes.js'

const mark = '***'
/** A shorter one would be found where it is not meant. */
const fewestBytes = 3
/** What neither base64 nor an address has inside a value. */
const words = /[^\s"'<>,;:=&(){}[\]|]+=*/g

/**
 * A text of a site with every secret that it was sent blotted out, as it is, or as JSON, addresses and base64 have it: a
 * site may repeat what it was sent, and its texts are shown and kept.
 */
export function withoutSecrets(text: string, secrets: Iterable<Secret>): string {
  // No spelling of a secret is shorter than itself, and a license has millions of bytes.
  const mostBytes = Buffer.byteLength(text)
  const sent = [...secrets].filter(
    ({ bytes: { byteLength } }) => byteLength >= fewestBytes && byteLength <= mostBytes,
  )
  // The longest first: one may hold another.
  const longestFirst = sent.toSorted((one, other) => other.bytes.byteLength - one.bytes.byteLength)
  return longestFirst.reduce((rest, secret) => withoutSecret(rest, secret), text)
}

function withoutSecret(text: string, secret: Secret): string {
  const quoted = encodeJson(secret)
  const plain = withoutBytes(withoutBytes(text, secret.bytes), quoted.subarray(1, -1))
  quoted.fill(0)
  return plain.replaceAll(words, word =>
    [percentDecoded(word), Buffer.from(word, 'base64')].some(bytes => bytes.includes(secret.bytes))
      ? mark
      : word,
  )
}

/** Compared as bytes, for a secret is never made a text. */
function withoutBytes(text: string, secret: Buffer): string {
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  let from = 0
  for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, from)) {
    pieces.push(bytes.toString('utf8', from, at))
    from = at + secret.byteLength
  }
  return pieces.length === 0 ? text : [...pieces, bytes.toString('utf8', from)].join(mark)
}

function percentDecoded(word: string): Buffer {
  const byteOf = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  return Buffer.from(word.replaceAll('+', ' ').replaceAll(/%([0-9a-f]{2})/gi, byteOf), 'latin1')
}
