/** A parsed JSON value; nothing in the emulator changes one. */
export type Json = null | boolean | number | string | readonly Json[] | EmulatorJsonObject

/** An object as `JSON.parse` returns it: members may have any name, such as `constructor`. */
export interface EmulatorJsonObject {
  readonly [name: string]: Json
}

/** Far longer than any parameter; parsing a much longer text would block the process for minutes. */
const maxTextLength = 8 * 1024 * 1024

/** Parses a text; `undefined` if it is not JSON, or too long. */
export function parseJson(text: string): Json | undefined {
  if (text.length > maxTextLength) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** True for a JSON object, which arrays and null are not. */
export function isObject(value: Json | undefined): value is EmulatorJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Follows names into nested objects; `undefined` as soon as one is missing. Ignores inherited names. */
export function member(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  let current = value
  for (const name of names) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}
