/** What should be a text, as one. `String` would run into objects that are none and into bottomless lists. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '(no text)'
  }
}
