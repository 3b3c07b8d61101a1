import type { Secret } from '../secrets/secret.js'

/**
 * Formats the header of a token. A token that no header can hold is left out: the request then shows less, and no error
 * quotes it.
 */
export function formatBearer({ bytes }: Secret): string | undefined {
  return bytes.every(byte => byte > 0x20 && byte < 0x7f) ? `Bearer ${bytes.toString('latin1')}` : undefined
}
