import type { SecretFile } from '../../secrets/secret-file.js'

/** One part of a multipart body. File names are constants of ours; the name of an extra part is text of a user. */
export type MultipartPart<F extends PartOfBody = Buffer> =
  | { readonly kind: 'text'; readonly name: string; readonly value: Buffer }
  | { readonly kind: 'file'; readonly name: string; readonly fileName: string; readonly value: F }

/** Bytes of a body, or a file that is read when they are sent. */
export type PartOfBody = Buffer | SecretFile

/** A request body as it goes out, and what to say of it. */
export interface RequestBody {
  readonly contentType: string
  readonly bytes: Buffer
}

/**
 * Encodes a `multipart/form-data` body of known length. Line ends in values stay unchanged, which FormData does not
 * promise. `boundary` must not occur in any value; 192 random bits do not.
 */
export function encodeMultipart(parts: readonly MultipartPart[], boundary: string): RequestBody {
  return {
    contentType: formatMultipartType(boundary),
    bytes: Buffer.concat(buildMultipartPieces(parts, boundary)),
  }
}

export function formatMultipartType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`
}

/** The same body as the pieces that it is made of. Each value is one of them, and no copy. */
export function buildMultipartPieces<F extends PartOfBody>(
  parts: readonly MultipartPart<F>[],
  boundary: string,
): readonly (Buffer | F)[] {
  const pieces = parts.flatMap((part): (Buffer | F)[] => [
    Buffer.from(buildPartHead(part, boundary)),
    part.value,
    Buffer.from('\r\n'),
  ])
  return [...pieces, Buffer.from(`--${boundary}--\r\n`)]
}

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
