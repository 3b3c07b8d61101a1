import { createHash } from 'node:crypto'

/** SHA-256 of the bytes of a file, or of a text, as records and plans spell it. */
export function digest(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
