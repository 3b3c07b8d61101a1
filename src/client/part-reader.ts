import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

type MaybeJson = JsonValue | undefined

/** Reads parts of an answer by their documented types. What is of another type counts as absent, and its path is kept. */
export interface PartReader {
  text(path: string, value: MaybeJson): string | undefined
  number(path: string, value: MaybeJson): number | undefined
  /** An integer that JavaScript holds exactly. */
  integer(path: string, value: MaybeJson): number | undefined
  object(path: string, value: MaybeJson): JsonObject | undefined
  list(path: string, value: MaybeJson): readonly JsonValue[] | undefined
  /** Notes that something is not as documented. */
  note(path: string): void
  /** The paths of all parts that were of another type, each once. */
  malformed(): readonly string[]
}

/** A reader that has read nothing yet. Null is absent. */
export function createPartReader(): PartReader {
  const paths = new Set<string>()
  const reader =
    <T extends JsonValue>(fits: (value: JsonValue) => value is T) =>
    (path: string, value: MaybeJson): T | undefined => {
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
