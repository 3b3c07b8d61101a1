import { createHash } from 'node:crypto'

/** SHA-256 of the bytes of a file, or of a text, as records and plans spell it. */
export function digest(content: Uint8Array | string): string {
  const sum = digesting()
  sum.update(content)
  return sum.digest()
}

/** The same of what comes piece by piece. */
export function digesting(): { update(piece: Uint8Array | string): void; digest(): string } {
  const hash = createHash('sha256')
  return {
    update: piece => void hash.update(piece),
    digest: () => `sha256:${hash.digest('hex')}`,
  }
}
