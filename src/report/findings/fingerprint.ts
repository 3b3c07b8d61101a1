import { createHash } from 'node:crypto'

/**
 * Computes a digest of the subject of a finding and its number among equals. The line is no part of it: CI systems
 * would otherwise report every finding below an edit as new.
 */
export function computeFingerprint(subject: string, ordinal: number): string {
  return createHash('sha256').update(`${subject}${ordinal}`).digest('hex')
}
