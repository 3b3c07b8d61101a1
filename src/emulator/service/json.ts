/** A parsed JSON value; nothing in the emulator changes one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object as `JSON.parse` makes it: any name may be there, even one that objects inherit. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** True for a JSON object, which arrays and null are not. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Follows names into nested objects; `undefined` as soon as one is missing. Inherited names do not count. */
export function member(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  let current = value
  for (const name of names) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}
