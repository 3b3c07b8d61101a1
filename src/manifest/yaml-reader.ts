import {
  type AliasEvent,
  CHOMPING_KEEP,
  COLLECTION_STYLE_FLOW,
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_PLAIN,
  SCALAR_STYLE_SINGLE_QUOTED,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from 'js-yaml'
import type { JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { type Range, type Span, skipLine, type YamlContent } from './span.js'
import { yamlLimits } from './yaml-limits.js'

/**
 * Reads a YAML text in one pass over the events of its parser. Returns `undefined` for texts that `judgeYaml` has to
 * read: invalid ones, and features that manifests rarely use. A differential test verifies that both read the same
 * values at the same places.
 */
export function readYaml(text: string): YamlContent | undefined {
  if (unusual.test(text)) return undefined
  try {
    const events = parseEvents(text, { maxDepth: 2 * yamlLimits.depth })
    return mayHaveTooManyTokens(text, events) ? undefined : new EventReader(text, events).readDocument()
  } catch (error) {
    if (error === refused || error instanceof YAMLException) return undefined
    throw error
  }
}

/** Directives, ends of documents, lone carriage returns and byte order marks. */
const unusual = /^(?:%|\.\.\.)|\r(?!\n)|\ufeff/m

/** Thrown to leave a text to `judgeYaml`. */
const refused = new Error('refused')

/** Estimates the tokens of the other parser: at most four per line, and eight per event. */
function mayHaveTooManyTokens(text: string, events: readonly Event[]): boolean {
  if (text.length < yamlLimits.tokens / 2) return false
  return 4 * text.split('\n').length + 8 * events.length > yamlLimits.tokens
}

/** A value with its range. */
interface Read {
  readonly value: JsonValue
  readonly range: Range
  /** The end of its last line. */
  readonly end: number
  /** The range of the value at the anchor, if the value is an alias. */
  readonly source?: Range
}

class EventReader {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #spans = new Map<JsonPointer, Span>()
  readonly #anchors = new Map<number, JsonPointer>()
  /** The events of the anchored values by their names; -1 while such a value is being read. */
  readonly #anchored = new Map<string, number>()
  /** The number of the next event. */
  #at = 1
  #nodes = 0
  #pathCharacters = 0
  #aliases = 0
  #isInAlias = false

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  readDocument(): YamlContent {
    const [document] = this.#events
    if (document?.type !== EVENT_DOCUMENT || document.explicitEnd || document.directives.length > 0)
      throw refused
    const { value, range } = this.#read('', 0)
    if (value === null || this.#at !== this.#events.length - 1) throw refused
    this.#spans.set('', { value: range })
    return { value, spans: this.#spans, anchors: this.#anchors, unread: [] }
  }

  #read(pointer: JsonPointer, depth: number, emptyAt = -1): Read {
    this.#nodes += 1
    this.#pathCharacters += pointer.length
    if (
      depth > yamlLimits.depth ||
      this.#nodes > yamlLimits.nodes ||
      this.#pathCharacters > yamlLimits.pathCharacters
    )
      throw refused
    const index = this.#at
    const event = this.#next()
    switch (event.type) {
      case EVENT_ALIAS:
        return this.#follow(event, pointer, depth)
      case EVENT_SCALAR:
      case EVENT_SEQUENCE:
      case EVENT_MAPPING: {
        if (event.tagStart >= 0) throw refused
        if (event.anchorStart < 0 || this.#isInAlias) return this.#readNode(event, pointer, depth, emptyAt)
        const name = this.#readName(event)
        this.#anchored.set(name, -1)
        const read = this.#readNode(event, pointer, depth, -1)
        // An inner value may have redefined the name.
        if (this.#anchored.get(name) === -1) this.#anchored.set(name, index)
        this.#anchors.set(read.range[0], this.#anchors.get(read.range[0]) ?? pointer)
        return read
      }
      default:
        throw refused
    }
  }

  #readNode(
    event: ScalarEvent | SequenceEvent | MappingEvent,
    pointer: JsonPointer,
    depth: number,
    emptyAt: number,
  ): Read {
    if (event.type === EVENT_SCALAR) return this.#readScalar(event, emptyAt)
    return event.type === EVENT_SEQUENCE
      ? this.#readSequence(event, pointer, depth)
      : this.#readMapping(event, pointer, depth)
  }

  #readSequence({ start, style }: SequenceEvent, pointer: JsonPointer, depth: number): Read {
    const items: JsonValue[] = []
    let last: Read | undefined
    while (!this.#isAtPop()) {
      const at = appendSegment(pointer, items.length)
      last = this.#read(at, depth + 1)
      this.#spans.set(at, spanOf(last))
      items.push(last.value)
    }
    return { value: items, ...this.#close(start, style === COLLECTION_STYLE_FLOW ? ']' : undefined, last) }
  }

  #readMapping({ start, style }: MappingEvent, pointer: JsonPointer, depth: number): Read {
    const closing = style === COLLECTION_STYLE_FLOW ? '}' : undefined
    // A pair without braces in a list in brackets has no range of its own.
    if (closing !== undefined && this.#text[start] !== '{') throw refused
    const members: Record<string, JsonValue> = {}
    let last: Read | undefined
    while (!this.#isAtPop()) {
      const { key, range, colon } = this.#readKey()
      if (Object.hasOwn(members, key)) throw refused
      const at = appendSegment(pointer, key)
      last = this.#read(at, depth + 1, skipSpaces(this.#text, colon + 1))
      const hasText = last.range[1] > last.range[0]
      this.#spans.set(at, { key: range, ...(hasText ? spanOf(last) : { value: range }) })
      members[key] = last.value
    }
    return { value: members, ...this.#close(start, closing, last) }
  }

  /** Finds the end of a list or map after its last member, because events do not have it. */
  #close(start: number, closing: '}' | ']' | undefined, last: Read | undefined): Pick<Read, 'range' | 'end'> {
    const text = this.#text
    if (closing !== undefined) {
      between.lastIndex = last?.range[1] ?? start + 1
      between.test(text)
      const end = between.lastIndex + 1
      if (text[end - 1] !== closing) throw refused
      return { range: [start, end], end: skipLine(text, end) }
    }
    if (last === undefined) throw refused
    return { range: [start, last.end], end: last.end }
  }

  #readKey(): { readonly key: string; readonly range: Range; readonly colon: number } {
    const event = this.#next()
    if (event.type !== EVENT_SCALAR || event.anchorStart >= 0 || event.tagStart >= 0) throw refused
    const { value: key, range } = this.#readScalar(event, -1)
    if (typeof key !== 'string' || key === '<<' || key === '__proto__') throw refused
    const colon = skipSpaces(this.#text, range[1])
    if (this.#text[colon] !== ':' || colon - range[0] > longestKey) throw refused
    return { key, range, colon }
  }

  #readScalar(event: ScalarEvent, emptyAt: number): Read {
    const { style, valueStart, valueEnd } = event
    if (valueStart < 0) {
      if (emptyAt === -1) throw refused
      return { value: null, range: [emptyAt, emptyAt], end: skipLine(this.#text, emptyAt) }
    }
    const text = getScalarValue(this.#text, event)
    const end = skipLine(this.#text, valueEnd)
    switch (style) {
      case SCALAR_STYLE_PLAIN:
        return { value: resolvePlain(text), range: [valueStart, valueEnd], end }
      case SCALAR_STYLE_SINGLE_QUOTED:
      case SCALAR_STYLE_DOUBLE_QUOTED:
        return { value: text, range: [valueStart - 1, valueEnd + 1], end }
      default: {
        const range = this.#findBlock(event)
        return { value: text, range, end: range[1] }
      }
    }
  }

  /** Finds the range of a block scalar, from its indicator to the end of its last line. */
  #findBlock({ valueStart, valueEnd, chomping }: ScalarEvent): Range {
    const lineStart = this.#text.lastIndexOf('\n', valueStart - 2) + 1
    const header = /[|>][-\d]* *\r?\n$/.exec(this.#text.slice(lineStart, valueStart))
    const lines = this.#text.slice(valueStart, valueEnd)
    const content = lines.trimEnd()
    const after = /^ *\r?\n?((?:\r?\n)*)$/.exec(lines.slice(content.length))
    if (header === null || after === null || content === '' || chomping === CHOMPING_KEEP) throw refused
    return [lineStart + header.index, valueEnd - (after[1] ?? '').length]
  }

  #follow(event: AliasEvent, pointer: JsonPointer, depth: number): Read {
    this.#aliases += 1
    const target = this.#anchored.get(this.#readName(event)) ?? -1
    // An alias inside an anchored value depends on the order of anchors.
    if (target < 0 || this.#isInAlias || this.#aliases > yamlLimits.aliases) throw refused
    const next = this.#at
    this.#at = target
    this.#isInAlias = true
    const { value, range } = this.#read(pointer, depth)
    this.#isInAlias = false
    this.#at = next
    const { anchorStart, anchorEnd } = event
    const end = skipLine(this.#text, anchorEnd)
    return { value, range: [anchorStart - 1, anchorEnd], end, source: range }
  }

  #readName({
    anchorStart,
    anchorEnd,
  }: {
    readonly anchorStart: number
    readonly anchorEnd: number
  }): string {
    const name = this.#text.slice(anchorStart, anchorEnd)
    if (!/^[\w-]+$/.test(name)) throw refused
    return name
  }

  #isAtPop(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_POP) return false
    this.#at += 1
    return true
  }

  #next(): Event {
    const event = this.#events[this.#at]
    if (event === undefined) throw refused
    this.#at += 1
    return event
  }
}

/** The longest key read here; the other parser allows slightly longer ones. */
const longestKey = 1000

function spanOf({ range, source }: Read): Span {
  return source === undefined ? { value: range } : { value: range, source }
}

/** Separators and comments between the last element and the closing bracket. */
const between = /(?:[,\s]|(?<=\s)#[^\n]*)*/y

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

/** Resolves a text without quotes in the core schema of YAML 1.2. */
function resolvePlain(text: string): JsonValue {
  if (!/^[-+.\d~nNtTfF]/.test(text)) return text
  if (/^(?:~|[Nn]ull|NULL)$/.test(text)) return null
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false
  if (/^[-+]?\d+$/.test(text)) return finite(Number.parseInt(text, 10))
  if (/^0o[0-7]+$/.test(text)) return finite(Number.parseInt(text.slice(2), 8))
  if (/^0x[\da-fA-F]+$/.test(text)) return finite(Number.parseInt(text.slice(2), 16))
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(text)) throw refused
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) return finite(Number.parseFloat(text))
  return text
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw refused
  return value
}
