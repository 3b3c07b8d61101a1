import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { JsonValue } from '../schema/json-schema.js'

const { ALIAS, DOCUMENT, MAPPING, POP, SCALAR, SEQUENCE } = EVENT_ID
const { PLAIN } = SCALAR_STYLE

/**
 * Reads a plain YAML text much faster than `parseYaml`, without places; `undefined` for anything unusual, which may
 * still be valid. The value is the one that `parseYaml` reads without a problem: a differential test verifies that.
 */
export function readQuickly(text: string): JsonValue | undefined {
  if (unusual.test(text)) return undefined
  try {
    const events = parseEvents(text, { maxDepth: quick.depth })
    const [first] = events
    if (first?.type !== DOCUMENT || first.directives.length > 0) return undefined
    return new QuickReader(events, text).document()
  } catch {
    // The parser throws on invalid text, and the reader on unusual text: both leave it to `parseYaml`.
    return undefined
  }
}

/** The limits of ordinary text, far below the caps, so that aliases, which must not nest, cannot exceed them. */
const quick = { depth: 15, events: 1500, aliases: 10 } as const

/** Templates, tabs, lone carriage returns, directives, ends of documents, and characters beyond plain text. */
const unusual = /\{\{|\t|\r(?!\n)|^(?:%|\.\.\.)|[^\n\r -~\u00a1-\u1fff\u3001-\ud7ff]/m

/** Thrown to leave the text to `parseYaml`. */
const outOfTheOrdinary = new Error('out of the ordinary')

/** Walks the flat list of events once. */
class QuickReader {
  readonly #events: readonly Event[]
  readonly #text: string
  readonly #anchors = new Map<string, JsonValue>()
  /** After the start event of the document. */
  #next = 1
  #aliases = 0
  #openAnchors = 0

  constructor(events: readonly Event[], text: string) {
    this.#events = events
    this.#text = text
  }

  document(): JsonValue {
    const value = this.#value()
    // The end of the document must be the end of everything.
    if (this.#event().type !== POP || this.#next !== this.#events.length) throw outOfTheOrdinary
    return value
  }

  #event(): Event {
    const event = this.#events[this.#next]
    if (event === undefined || this.#next > quick.events) throw outOfTheOrdinary
    this.#next += 1
    return event
  }

  #value(): JsonValue {
    const event = this.#event()
    if (event.type === ALIAS) return this.#followed(event.anchorStart, event.anchorEnd)
    if (event.type === DOCUMENT || event.type === POP || event.tagStart !== -1) throw outOfTheOrdinary
    const anchored = event.anchorStart !== -1
    this.#openAnchors += anchored ? 1 : 0
    const value =
      event.type === MAPPING ? this.#map() : event.type === SEQUENCE ? this.#list() : this.#scalar(event)
    if (anchored) {
      const name = this.#text.slice(event.anchorStart, event.anchorEnd)
      if (!/^[\w-]+$/.test(name) || !/\s/.test(this.#text[event.anchorEnd] ?? '')) throw outOfTheOrdinary
      this.#openAnchors -= 1
      this.#anchors.set(name, value)
    }
    return value
  }

  #followed(from: number, to: number): JsonValue {
    this.#aliases += 1
    const value = this.#anchors.get(this.#text.slice(from, to))
    if (value === undefined || this.#aliases > quick.aliases || this.#openAnchors > 0) throw outOfTheOrdinary
    return value
  }

  #list(): JsonValue {
    const items: JsonValue[] = []
    while (this.#events[this.#next]?.type !== POP) items.push(this.#value())
    this.#next += 1
    return items
  }

  #map(): JsonValue {
    const members: Record<string, JsonValue> = {}
    while (this.#events[this.#next]?.type !== POP) {
      const [event, key] = [this.#events[this.#next], this.#value()]
      // One parser accepts a map that begins with an anchored key where no map is allowed.
      if (event?.type !== SCALAR || event.anchorStart !== -1) throw outOfTheOrdinary
      if (typeof key !== 'string' || key === '<<' || key === '__proto__' || Object.hasOwn(members, key))
        throw outOfTheOrdinary
      members[key] = this.#value()
    }
    this.#next += 1
    return members
  }

  #scalar(event: ScalarEvent): JsonValue {
    const text = event.valueStart === -1 ? '' : getScalarValue(this.#text, event)
    return event.style === PLAIN ? parsePlainScalar(text) : text
  }
}

/** Converts a plain scalar by the core schema; only simple numbers, the others are left to `parseYaml`. */
function parsePlainScalar(text: string): JsonValue {
  // Most begin with a letter that no word of YAML begins with.
  if (/^[a-eg-mo-su-zA-EG-MO-SU-Z/]/.test(text)) return text
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (!/^[-+.]?[0-9]|^[-+]?\./.test(text)) return text
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^0[ox][\da-fA-F]+$|^[-+]?\.(?:inf|nan)$/i.test(text))
    throw outOfTheOrdinary
  return text
}
