import { createHash } from 'node:crypto'

/**
 * A digest of what a finding is about and its number among equals. It never takes in a line: CI systems would
 * otherwise show every finding that an edit above has moved as a new one.
 */
export function fingerprint(subject: string, ordinal: number): string {
  return createHash('sha256').update(`${subject}${ordinal}`).digest('hex')
}
