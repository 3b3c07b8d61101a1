import type { RequestBody } from './multipart.js'

export interface FormField {
  readonly name: string
  readonly value: Buffer
}

/** Encodes a form. Values stay bytes, so that a token is never a string. */
export function encodeForm(fields: readonly FormField[]): RequestBody {
  const pieces = fields.flatMap(({ name, value }, index) => [
    Buffer.from(`${index === 0 ? '' : '&'}${name}=`),
    percentEncode(value),
  ])
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) piece.fill(0)
  return { contentType: 'application/x-www-form-urlencoded; charset=UTF-8', bytes }
}

/** Encodes all but letters, digits and `-._*` as `%XX`, which every form parser reads alike. */
function percentEncode(value: Buffer): Buffer {
  const out = Buffer.alloc(value.byteLength * 3)
  let length = 0
  for (const byte of value) {
    if (isUnreserved(byte)) out[length++] = byte
    else length += out.write(`%${byte.toString(16).toUpperCase().padStart(2, '0')}`, length)
  }
  return out.subarray(0, length)
}

function isUnreserved(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    [0x2d, 0x2e, 0x5f, 0x2a].includes(byte)
  )
}

/** Provides a form-encoded body for one request. Always wipes the body and its values. */
export async function withForm<T>(
  fields: readonly FormField[],
  use: (body: RequestBody) => Promise<T>,
): Promise<T> {
  const body = encodeForm(fields)
  for (const { value } of fields) value.fill(0)
  try {
    return await use(body)
  } finally {
    body.bytes.fill(0)
  }
}
