import { computeDigest } from '../manifest/digest.js'

/** Formats a value as JSON with sorted keys, so that equal values have equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** Computes the SHA-256 of the canonical JSON text of a value that holds no secret. */
export function digestCanonical(value: unknown): string {
  return computeDigest(canonical(value))
}
