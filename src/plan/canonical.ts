import { computeDigest } from '../manifest/digest.js'

/** Formats a value as JSON with sorted keys, so that equal values have equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(sortMembers(value))
}

/** Copies a value with sorted keys: sorting in a replacer of `JSON.stringify` takes twice the time. */
function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortMembers)
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) {
    const member = sortMembers((value as Readonly<Record<string, unknown>>)[name])
    // An assignment to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(sorted, name, { value: member, enumerable: true })
    else sorted[name] = member
  }
  return sorted
}

/** Computes the SHA-256 of the canonical JSON text of a value. The value must not contain secrets. */
export function digestCanonical(value: unknown): string {
  return computeDigest(canonical(value))
}
