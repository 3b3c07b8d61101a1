import type { JsonValue } from '../schema/json-schema.js'

/** So much is remembered at once. A fleet has far fewer different parts. */
const mostRemembered = 500

/** Remembers what was found out last, until it turns out that little of it is asked for again. */
export class Memory<Value> {
  readonly #known = new Map<string, Value>()
  #repeated = 0
  #pays = true

  /** False once little was asked for again. */
  get pays(): boolean {
    return this.#pays
  }

  get(key: string): Value | undefined {
    const known = this.#known.get(key)
    if (known !== undefined) this.#repeated += 1
    return known
  }

  set(key: string, value: Value): void {
    if (this.#known.size === mostRemembered) {
      this.#pays = this.#repeated > mostRemembered
      this.#repeated = 0
      this.#known.clear()
    }
    if (this.#pays) this.#known.set(key, value)
  }
}

/** A part of a manifest, as it was read from its text. */
export interface KnownPart {
  readonly value: JsonValue
  /** The column of its key, and how deep it is: both tell what the same text may mean. */
  readonly column: number
  readonly depth: number
  /** How many values it has. */
  readonly size: number
  /** The longest key of each depth below it. */
  readonly longestKeys: readonly number[]
}

/**
 * The parts that were read last, by their text: the manifests of a fleet have many in common, which are then the same
 * object in all of them. A part is a map or list that is a member of `metadata` or `spec`, or of one of its members.
 */
export const knownParts = new Memory<KnownPart>()

/** Returns a text that only equal values share; `undefined` for a map or list that was not read as a part. */
export function identify(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const number = numbers.get(value)
  return number === undefined ? undefined : `#${number}`
}

/** Has `identify` know a part. Several manifests will have it in common, so that nobody may change it. */
export function markPart(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return
  freeze(value)
  lastNumber += 1
  numbers.set(value, lastNumber)
}

function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0
