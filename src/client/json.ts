import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses the JSON of an answer. A byte order mark before it may be there (RFC 8259 §8.1). */
export function parseJson(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(utf8.decode(bytes)) as JsonValue
  } catch {
    return undefined
  }
}

/** Converts a value that should be a text. `String` would fail on some objects and on lists nested too deep. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '[unprintable]'
  }
}

type MaybeJson = JsonValue | undefined

/**
 * Reads parts of an answer by their documented types. Null is absent; a value of another type counts as absent, and its
 * path is kept.
 */
export class PartReader {
  readonly #paths = new Set<string>()

  text(path: string, value: MaybeJson): string | undefined {
    return typeof value === 'string' ? value : this.#miss(path, value)
  }

  number(path: string, value: MaybeJson): number | undefined {
    return typeof value === 'number' ? value : this.#miss(path, value)
  }

  /** An integer that JavaScript holds exactly. */
  integer(path: string, value: MaybeJson): number | undefined {
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : this.#miss(path, value)
  }

  object(path: string, value: MaybeJson): JsonObject | undefined {
    return isObject(value) ? value : this.#miss(path, value)
  }

  list(path: string, value: MaybeJson): readonly JsonValue[] | undefined {
    return Array.isArray(value) ? value : this.#miss(path, value)
  }

  /** Notes that something is not as documented. */
  note(path: string): void {
    this.#paths.add(path)
  }

  /** The paths of all parts that were of another type, each once. */
  malformed(): readonly string[] {
    return [...this.#paths]
  }

  #miss(path: string, value: MaybeJson): undefined {
    if (value !== undefined && value !== null) this.note(path)
  }
}
