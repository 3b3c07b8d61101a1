import { isObject, type JsonValue } from '../schema/json-schema.js'
import { redactValue } from './redact-value.js'
import { formatValueLines } from './value-lines.js'

/** The expected and the actual value, as lines of which only some differ. */
export interface ValueDifference {
  readonly expected: readonly string[]
  readonly actual: readonly string[]
}

/** Compares two values; `undefined` if they are equal. */
export function findDifference(expected: JsonValue, actual: JsonValue): ValueDifference | undefined {
  const seen = projectValue(expected, actual)
  if (isSame(expected, seen)) return undefined
  return { expected: formatValueLines(redactValue(expected)), actual: formatValueLines(seen) }
}

/** Compares two lists in any order; every element of the actual list must be expected. */
export function findSetDifference(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
): ValueDifference | undefined {
  const left = [...actual]
  const met = expected.map(one => {
    const index = left.findIndex(candidate => isSame(one, projectValue(one, candidate)))
    return index === -1 ? undefined : projectValue(one, left.splice(index, 1)[0] ?? null)
  })
  if (left.length === 0 && !met.includes(undefined)) return undefined
  return {
    expected: formatValueLines(expected),
    actual: formatValueLines([...met.filter(one => one !== undefined), ...left]),
  }
}

/** Reduces a value to the members that the expected value names. */
function projectValue(expected: JsonValue, actual: JsonValue): JsonValue {
  if (isObject(expected) && isObject(actual))
    return Object.fromEntries(
      Object.entries(expected).flatMap(([name, value]) => {
        const own = Object.hasOwn(actual, name) ? actual[name] : undefined
        return own === undefined ? [] : [[name, projectValue(value, own)] as const]
      }),
    )
  if (!Array.isArray(expected) || !Array.isArray(actual)) return actual
  const wanted: readonly JsonValue[] = expected
  // A surplus element shows the fields that the first one names.
  return actual.map((one: JsonValue, index) => projectValue(wanted[index] ?? wanted[0] ?? null, one))
}

/** Compares as JSON; `projected` keeps the order of the expected members. */
function isSame(expected: JsonValue, seen: JsonValue): boolean {
  return JSON.stringify(expected) === JSON.stringify(seen)
}
