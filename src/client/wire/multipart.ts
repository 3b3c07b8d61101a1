import { isAscii } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { pieceBytes, type SecretFile } from '../../secrets/secret.js'

/** One part of a multipart body. Only the name of an extra part comes from a user. */
export type MultipartPart<F extends PartOfBody = Buffer> =
  | { readonly kind: 'text'; readonly name: string; readonly value: Buffer }
  | { readonly kind: 'file'; readonly name: string; readonly fileName: string; readonly value: F }

/** Bytes of a body, or a file that is read while it is sent. */
export type PartOfBody = Buffer | SecretFile

/** A request body and its type. */
export interface RequestBody {
  readonly contentType: string
  readonly bytes: Buffer
}

/** A body that is sent piece by piece, because a file in it may be too large to copy. */
export interface PiecedBody<P extends PartOfBody = PartOfBody> extends Pick<RequestBody, 'contentType'> {
  readonly pieces: readonly (Buffer | P)[]
}

/** A multipart body. Its sender wipes it. */
export interface MultipartBody<P extends PartOfBody = PartOfBody> extends PiecedBody<P> {
  /** Overwrites the copies, and no borrowed buffer. */
  wipe(): void
}

/**
 * Encodes a `multipart/form-data` body of known length. Texts are UTF-8. If one is not ASCII, a part declares that, because
 * firewalls reject a `charset` in the content type of the body or of a part. Line ends in values stay unchanged, which
 * FormData does not promise. A large borrowed value is not copied, so its owner keeps it until the response; everything else
 * is copied. `boundary` must not occur in any value; 192 random bits do not.
 */
export function encodeMultipart<F extends PartOfBody>(
  parts: readonly MultipartPart<F>[],
  borrowed: ReadonlySet<PartOfBody> = new Set(),
  boundary = `----${randomBytes(24).toString('hex')}`,
): MultipartBody<F> {
  const pieces: (Buffer | F)[] = []
  const copies: Buffer[] = []
  let small: Buffer[] = []
  const copy = () => {
    const one = Buffer.concat(small)
    small = []
    copies.push(one)
    pieces.push(one)
  }
  const isPlain = parts.every(({ kind, value }) => kind === 'file' || isAscii(value))
  for (const part of isPlain ? parts : [encoding, ...parts]) {
    const { value } = part
    small.push(Buffer.from(buildPartHead(part, boundary)))
    if (!Buffer.isBuffer(value)) {
      copy()
      pieces.push(value)
    } else if (borrowed.has(value) && value.byteLength > pieceBytes) {
      copy()
      for (let at = 0; at < value.byteLength; at += pieceBytes)
        pieces.push(value.subarray(at, at + pieceBytes))
    } else small.push(value)
    small.push(Buffer.from('\r\n'))
  }
  small.push(Buffer.from(`--${boundary}--\r\n`))
  copy()
  const wipe = () => {
    for (const one of copies) one.fill(0)
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, pieces, wipe }
}

/** The part that names the encoding of the texts. RFC 7578 §4.6. */
const encoding: MultipartPart = { kind: 'text', name: '_charset_', value: Buffer.from('UTF-8') }

function buildPartHead(part: MultipartPart<PartOfBody>, boundary: string): string {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(part.name)}"`
  return part.kind === 'text'
    ? `${disposition}\r\n\r\n`
    : `${disposition}; filename="${part.fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
}

/** Escapes a name as forms do, so that it cannot end its quotes or its line. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
