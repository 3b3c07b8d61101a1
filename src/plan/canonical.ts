import { computeDigest } from '../manifest/digest.js'

/** JSON text that equal values share, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** SHA-256 of the canonical JSON text of a value that holds no secret. */
export function digestCanonical(value: unknown): string {
  return computeDigest(canonical(value))
}
