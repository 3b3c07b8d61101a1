import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

type Part = JsonValue | undefined

/** Reads parts of an answer by their documented types. What is of another type counts as absent, and its path is kept. */
export interface Parts {
  text(path: string, value: Part): string | undefined
  number(path: string, value: Part): number | undefined
  /** An integer that JavaScript holds exactly. */
  integer(path: string, value: Part): number | undefined
  object(path: string, value: Part): JsonObject | undefined
  list(path: string, value: Part): readonly JsonValue[] | undefined
  /** Notes that something is not as documented. */
  note(path: string): void
  /** The paths of all parts that were of another type, each once. */
  malformed(): readonly string[]
}

/** A reader that has read nothing yet. Null is absent. */
export function partsOf(): Parts {
  const paths = new Set<string>()
  const reader =
    <T extends JsonValue>(fits: (value: JsonValue) => value is T) =>
    (path: string, value: Part): T | undefined => {
      if (value === undefined || value === null) return undefined
      if (fits(value)) return value
      paths.add(path)
      return undefined
    }
  return {
    text: reader(value => typeof value === 'string'),
    number: reader(value => typeof value === 'number'),
    integer: reader((value): value is number => Number.isSafeInteger(value)),
    object: reader(isObject),
    list: reader((value): value is readonly JsonValue[] => Array.isArray(value)),
    note: path => void paths.add(path),
    malformed: () => [...paths],
  }
}
