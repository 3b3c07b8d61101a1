import { createHash } from 'node:crypto'

/** Computes the SHA-256 of a file or a text, in the format of records and plans. */
export function computeDigest(content: Uint8Array | string): string {
  const sum = startDigest()
  sum.update(content)
  return sum.digest()
}

/** Computes the same digest incrementally. */
export function startDigest(): { update(piece: Uint8Array | string): void; digest(): string } {
  const hash = createHash('sha256')
  return {
    update: piece => void hash.update(piece),
    digest: () => `sha256:${hash.digest('hex')}`,
  }
}
