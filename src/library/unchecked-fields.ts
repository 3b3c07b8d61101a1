/** A parsed file or answer, not checked against a schema. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of a value, if it is an object. */
export function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}

/** Parses a JSON object; `undefined` for any other text. */
export function parseFields(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the text in a field; `undefined` if it is empty or of another type. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the objects in a list. */
export function listFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(toFields).filter(one => one !== undefined) : []
}
