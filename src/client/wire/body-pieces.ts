import { pieceBytes } from '../../secrets/secret-file.js'
import type { PartOfBody } from './multipart.js'

/** A body that is sent piece by piece, because a file in it is too large to copy. */
export interface BodyPieces<P extends PartOfBody = PartOfBody> {
  readonly pieces: readonly (Buffer | P)[]
  /** Overwrites the copies, and no borrowed buffer. */
  wipe(): void
}

/**
 * Splits a body into pieces. A large borrowed buffer is sent from its place, and its owner keeps it until the request is
 * answered. The rest is copied together, so that a body without a large buffer is one piece.
 */
export function collectPieces<P extends PartOfBody>(
  values: readonly P[],
  provided: ReadonlySet<PartOfBody>,
): BodyPieces<P> {
  const pieces: (Buffer | P)[] = []
  const copies: Buffer[] = []
  let small: Buffer[] = []
  const copy = () => {
    if (small.length === 0) return
    const one = Buffer.concat(small)
    small = []
    copies.push(one)
    pieces.push(one)
  }
  for (const value of values) {
    if (!Buffer.isBuffer(value)) {
      copy()
      pieces.push(value)
    } else if (provided.has(value) && value.byteLength > pieceBytes) {
      copy()
      for (let at = 0; at < value.byteLength; at += pieceBytes)
        pieces.push(value.subarray(at, at + pieceBytes))
    } else small.push(value)
  }
  copy()
  const wipe = () => {
    for (const one of copies) one.fill(0)
  }
  return { pieces, wipe }
}
