/** A parsed file or answer that no schema has checked. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value, if it has any. */
export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

/** Parses an object of JSON; `undefined` for any other text. */
export function parseFields(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The text in a field; `undefined` where it is empty or of another type. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The entries of a list that have fields. */
export function listFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(toFields).filter(one => one !== undefined) : []
}
