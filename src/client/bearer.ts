import type { Secret } from '../secrets/secret.js'

/** A token that no header can hold is left out: a look without it says less, and no error quotes it. */
export function bearer({ bytes }: Secret): string | undefined {
  return bytes.every(byte => byte > 0x20 && byte < 0x7f) ? `Bearer ${bytes.toString('latin1')}` : undefined
}
