/** More is slower, or takes more memory; measured. */
const maxPieceBytes = 256 * 1024

/** A body that is sent piece by piece, for it holds what is too large to be copied. */
export interface BodyPieces {
  readonly pieces: readonly Buffer[]
  /** Overwrites the copies, and no borrowed buffer. */
  wipe(): void
}

/**
 * Splits a body into pieces. A large borrowed buffer is sent from its place, and its owner keeps it until the request is
 * answered. The rest is copied together, so that a body without a large buffer is one piece.
 */
export function collectPieces(values: readonly Buffer[], provided: ReadonlySet<Buffer>): BodyPieces {
  const pieces: Buffer[] = []
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
    if (provided.has(value) && value.byteLength > maxPieceBytes) {
      copy()
      for (let at = 0; at < value.byteLength; at += maxPieceBytes)
        pieces.push(value.subarray(at, at + maxPieceBytes))
    } else small.push(value)
  }
  copy()
  const wipe = () => {
    for (const one of copies) one.fill(0)
  }
  return { pieces, wipe }
}
