import { Secret } from '../../secrets/secret.js'

const name = Buffer.from('"token"')
const [quote, colon, backslash, blank] = [0x22, 0x3a, 0x5c, 0x20]

/** A token cut out of an answer, and the number of marks that replace it. */
export interface CutToken {
  readonly token: Secret
  readonly marks: number
}

/**
 * Cuts the first `token` out of a JSON answer and overwrites it there, so that the rest can be read as text and the
 * token never becomes a string. `undefined` without a token that a header can hold.
 */
export function cutToken(answer: Buffer): CutToken | undefined {
  const named = answer.indexOf(name)
  if (named < 0) return undefined
  const separator = skipBlanks(answer, named + name.byteLength)
  const opening = skipBlanks(answer, separator + 1)
  const end = answer.indexOf(quote, opening + 1)
  if (answer[separator] !== colon || answer[opening] !== quote || end < 0) return undefined
  const text = answer.subarray(opening + 1, end)
  const token = unescapeToken(text)
  text.fill('*')
  if (token !== undefined) return { token: new Secret(token), marks: text.byteLength }
  return undefined
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? Number.POSITIVE_INFINITY) <= blank) at += 1
  return at
}

/** Some encoders write `/` and `=` as escapes. A token has no quotes, so that the first one ends it. */
function unescapeToken(text: Buffer): Buffer | undefined {
  const out = Buffer.alloc(text.byteLength)
  let length = 0
  for (let at = 0; at < text.byteLength; at += 1) {
    let byte = text[at] ?? 0
    if (byte === backslash) {
      at += 1
      byte = text[at] ?? 0
      if (byte === 0x75) {
        byte = parseHex(text.subarray(at + 1, at + 5))
        at += 4
      } else if (byte !== 0x2f && byte !== backslash) byte = 0
    }
    if (byte <= blank || byte >= 0x7f) return wipeBytes(out)
    out[length++] = byte
  }
  if (length === 0) return undefined
  return out.subarray(0, length)
}

function wipeBytes(bytes: Buffer): undefined {
  bytes.fill(0)
}

/** Parses four hexadecimal digits of an ASCII character; 0 for others. */
function parseHex(digits: Buffer): number {
  let value = 0
  for (const digit of digits) {
    const nibble = '0123456789abcdef'.indexOf(String.fromCharCode(digit | 0x20))
    if (nibble < 0) return 0
    value = value * 16 + nibble
  }
  return digits.byteLength === 4 ? value : 0
}
