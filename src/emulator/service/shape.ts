import { isObject, type Json, member } from './json.js'

/**
 * Says what is wrong with a value, or nothing when it is right. The sentence names the place and never quotes
 * the value, because a value may be a secret.
 */
export type Check = (value: Json, place: string) => string | undefined

/** The checks of an object, by field name. */
export type Fields = Readonly<Record<string, Check>>

/** A text that may be empty. */
export const anyText: Check = (value, place) =>
  typeof value === 'string' ? undefined : `${place} must be a string.`

/** A text that says something: the document shows no field for which an empty one would mean anything. */
export const text: Check = (value, place) =>
  typeof value === 'string' && value !== '' ? undefined : `${place} must be a string that is not empty.`

/** An object whose names are not shown. */
export const anyObject: Check = (value, place) =>
  isObject(value) ? undefined : `${place} must be a JSON object.`

/** One of a closed list of texts. */
export function oneOf(allowed: readonly string[]): Check {
  return (value, place) =>
    typeof value === 'string' && allowed.includes(value)
      ? undefined
      : `${place} must be one of ${allowed.join(', ')}.`
}

/** A text that is not empty and that a pattern fits; `description` continues "must be". */
export function matching(pattern: RegExp, description: string): Check {
  return (value, place) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `${place} must be ${description}.`
}

/** An array of any length, every element of which passes one check. */
export function listOf(item: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} must be a JSON array.`
    return firstProblem(value.map((element: Json, index) => () => item(element, `${place}[${index}]`)))
  }
}

/** An object with any names, every value of which passes one check. */
export function mapOf(item: Check): Check {
  return (value, place) => {
    if (!isObject(value)) return `${place} must be a JSON object.`
    return firstProblem(
      Object.entries(value).map(
        ([name, element]) =>
          () =>
            item(element, `${place}.${shown(name)}`),
      ),
    )
  }
}

/** An object with all the required fields, perhaps some of the optional ones, and no others. */
export function record(required: Fields, optional: Fields = {}): Check {
  const known: Fields = { ...required, ...optional }
  return (value, place) => {
    if (!isObject(value)) return `${place} must be a JSON object.`
    const stranger = Object.keys(value).find(name => !Object.hasOwn(known, name))
    if (stranger !== undefined) return `${place} has the unknown field ${shown(stranger)}.`
    const missing = Object.keys(required).find(name => !Object.hasOwn(value, name))
    if (missing !== undefined) return `${place}.${missing} is missing.`
    return firstProblem(
      Object.entries(known).map(([name, check]) => () => {
        const field = member(value, name)
        return field === undefined ? undefined : check(field, `${place}.${name}`)
      }),
    )
  }
}

/** Every check in turn; later ones may rely on what earlier ones made sure of. */
export function all(...checks: readonly Check[]): Check {
  return (value, place) => firstProblem(checks.map(check => () => check(value, place)))
}

/** A name from a request, as far as it is a word: a body that is no form reads as one name, secrets and all. */
export function shown(name: string): string {
  return /^[\w./-]{1,60}$/.test(name) ? JSON.stringify(name) : '"…"'
}

/** The first sentence that any of the checks comes up with; the ones after it are not asked. */
export function firstProblem(checks: Iterable<() => string | undefined>): string | undefined {
  for (const check of checks) {
    const problem = check()
    if (problem !== undefined) return problem
  }
  return undefined
}
