import { Secret } from '../../secrets/secret.js'

/** A JSON value that may contain secrets in place of strings. */
export type WireValue =
  | string
  | number
  | boolean
  | null
  | Secret
  | readonly WireValue[]
  | { readonly [key: string]: WireValue }

/**
 * Encodes a value as JSON, in ASCII except for secrets, so that any character encoding reads it correctly. Secrets stay
 * bytes, and never become strings. The caller wipes the result.
 */
export function encodeJson(value: WireValue): Buffer {
  const pieces = [...encodePieces(value)]
  const bytes = Buffer.concat(pieces.map(({ bytes }) => bytes))
  for (const piece of pieces) if (piece.secret) piece.bytes.fill(0)
  return bytes
}

interface JsonPiece {
  readonly bytes: Buffer
  readonly secret: boolean
}

function* encodePieces(value: WireValue): Generator<JsonPiece> {
  if (value instanceof Secret) yield { bytes: escapeJson(value.bytes), secret: true }
  else if (isList(value))
    yield* encodeList(
      '[',
      ']',
      value.map(element => () => encodePieces(element)),
    )
  else if (typeof value === 'object' && value !== null)
    yield* encodeList(
      '{',
      '}',
      Object.entries(value).map(
        ([key, member]) =>
          () =>
            encodeMember(key, member),
      ),
    )
  else yield toPiece(formatAscii(value))
}

function* encodeMember(key: string, value: WireValue): Generator<JsonPiece> {
  yield toPiece(`${formatAscii(key)}:`)
  yield* encodePieces(value)
}

function* encodeList(
  open: string,
  close: string,
  parts: readonly (() => Generator<JsonPiece>)[],
): Generator<JsonPiece> {
  yield toPiece(open)
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield toPiece(',')
    yield* part()
  }
  yield toPiece(close)
}

const quote = 0x22
const backslash = 0x5c

/** Encodes UTF-8 bytes as a JSON string. */
function escapeJson(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.byteLength * 6 + 2)
  let length = out.write('"')
  for (const byte of bytes) {
    if (byte === quote || byte === backslash) {
      out[length++] = backslash
      out[length++] = byte
    } else if (byte < 0x20) length += out.write(`\\u00${byte.toString(16).padStart(2, '0')}`, length)
    else out[length++] = byte
  }
  out[length++] = quote
  return out.subarray(0, length)
}

function formatAscii(value: string | number | boolean | null): string {
  return JSON.stringify(value).replaceAll(
    /[^\0-\x7f]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function toPiece(text: string): JsonPiece {
  return { bytes: Buffer.from(text), secret: false }
}

function isList(value: WireValue): value is readonly WireValue[] {
  return Array.isArray(value)
}
