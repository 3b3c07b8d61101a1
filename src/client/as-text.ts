/** Converts a value that should be a text. `String` would fail on some objects and on lists nested too deep. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '[unprintable]'
  }
}
