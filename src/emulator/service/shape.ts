import { isObject, type Json, member } from './json.js'

/**
 * Checks a value; returns a message if it is invalid. The message names the place and never quotes the value, because a
 * value may be a secret.
 */
export type Check = (value: Json, place: string) => string | undefined

/** The checks of an object, by field name. */
export type Fields = Readonly<Record<string, Check>>

/** A text that may be empty. */
export const anyText: Check = (value, place) =>
  typeof value === 'string' ? undefined : `${place} must be a string.`

/** A text that is not empty: the document shows no field in which an empty one has a meaning. */
export const text: Check = (value, place) =>
  typeof value === 'string' && value !== '' ? undefined : `${place} must be a string that is not empty.`

/** An object whose names are not documented. */
export const anyObject: Check = (value, place) =>
  isObject(value) ? undefined : `${place} must be a JSON object.`

/** One of a closed list of texts. */
export function choiceCheck(allowed: readonly string[]): Check {
  return (value, place) =>
    typeof value === 'string' && allowed.includes(value)
      ? undefined
      : `${place} must be one of ${allowed.join(', ')}.`
}

/** A text that matches a pattern; `description` continues "must be". */
export function matching(pattern: RegExp, description: string): Check {
  return (value, place) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `${place} must be ${description}.`
}

/** An array of any length, every element of which passes one check. */
export function arrayCheck(item: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} must be a JSON array.`
    return findFirstProblem(value.map((element: Json, index) => () => item(element, `${place}[${index}]`)))
  }
}

/** An object with any names, every value of which passes one check. */
export function mapCheck(item: Check): Check {
  return (value, place) => {
    if (!isObject(value)) return `${place} must be a JSON object.`
    return findFirstProblem(
      Object.entries(value).map(
        ([name, element]) =>
          () =>
            item(element, `${place}.${quoteName(name)}`),
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
    if (stranger !== undefined) return `${place} has the unknown field ${quoteName(stranger)}.`
    const missing = Object.keys(required).find(name => !Object.hasOwn(value, name))
    if (missing !== undefined) return `${place}.${missing} is missing.`
    return findFirstProblem(
      Object.entries(known).map(([name, check]) => () => {
        const field = member(value, name)
        return field === undefined ? undefined : check(field, `${place}.${name}`)
      }),
    )
  }
}

/** Every check in order; later ones may rely on earlier ones. */
export function all(...checks: readonly Check[]): Check {
  return (value, place) => findFirstProblem(checks.map(check => () => check(value, place)))
}

/** Quotes a name from a request if it is a plain word: a body that is not a form parses as one name, with its secrets. */
export function quoteName(name: string): string {
  return /^[\w./-]{1,60}$/.test(name) ? JSON.stringify(name) : '"…"'
}

/** Returns the first message of any check; does not run the checks after it. */
export function findFirstProblem(checks: Iterable<() => string | undefined>): string | undefined {
  for (const check of checks) {
    const problem = check()
    if (problem !== undefined) return problem
  }
  return undefined
}
