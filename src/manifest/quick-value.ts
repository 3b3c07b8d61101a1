import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { ignoreMark } from './ignore-mark.js'
import { decodeText, type Source } from './source.js'
import { yamlLimits } from './yaml-limits.js'

/** Reads a map on the fast path. */
export function readOrdinaryObject(source: Source): JsonObject | undefined {
  const text = decodeOrdinary(source)
  return text === undefined ? undefined : readOrdinaryMap(text)?.value
}

/** The text of a source that the fast path may read. */
export function decodeOrdinary(source: Source): string | undefined {
  return source.bytes.byteLength > yamlLimits.bytes ? undefined : decodeText(source)
}

/** A value, and where the name and the URL of a manifest begin in its text: behind the quote, if there is one. */
export interface LocatedValue<V extends JsonValue = JsonValue> {
  readonly value: V
  readonly nameAt: number | undefined
  readonly urlAt: number | undefined
}

/** Reads the map in such a text. A comment that silences findings is unusual: it may be one that silences nothing. */
export function readOrdinaryMap(text: string): LocatedValue<JsonObject> | undefined {
  const read = text.includes(ignoreMark) ? undefined : readQuickly(text)
  return read !== undefined && isObject(read.value) ? { ...read, value: read.value } : undefined
}

/**
 * Reads a plain YAML text much faster than `parseYaml`, without places; `undefined` for anything unusual, which may
 * still be valid. The value is the one that `parseYaml` reads without a problem: a differential test verifies that.
 */
export function readQuickly(text: string): LocatedValue | undefined {
  return readOrdinary(text, plain => {
    const reader = new QuickReader(plain)
    const value = reader.readDocument()
    return { value, nameAt: reader.nameAt, urlAt: reader.urlAt }
  })
}

/** A value, and the line of each of its fields, in the order in which `Object.entries` lists them, the whole first. */
export interface NumberedValue {
  readonly value: JsonValue
  readonly lines: readonly number[]
}

/**
 * Reads a text as `readQuickly` does, with the line of each key and of each item of a list; `undefined` also where fields
 * have another order than the text. A differential test holds that `parseYaml` finds the same lines.
 */
export function readWithLines(text: string): NumberedValue | undefined {
  return readOrdinary(text, plain => {
    const starts: number[] = []
    const value = new QuickReader(plain, starts).readDocument()
    return { value, lines: numberLines(plain, starts) }
  })
}

/** Finds the line of each offset; they ascend. */
function numberLines(text: string, starts: readonly number[]): readonly number[] {
  let [line, end] = [1, text.indexOf('\n')]
  return starts.map(start => {
    for (; end !== -1 && end < start; end = text.indexOf('\n', end + 1)) line += 1
    return line
  })
}

function readOrdinary<T>(text: string, read: (plain: string) => T): T | undefined {
  if (unusual.test(text) || hasManyLines(text)) return undefined
  try {
    return read(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)
  } catch (error) {
    if (error === outOfTheOrdinary) return undefined
    throw error
  }
}

/** The limits of ordinary text, below the caps: each value counts as often as aliases, which must not nest, repeat it. */
const quick = { depth: 15, values: 9000, aliases: 10, lines: 15_000 } as const

/** The length of the longest index of a list. */
const longestIndex = String(quick.values).length

/** Even empty lines and comments are tokens. A short text cannot have too many. */
function hasManyLines(text: string): boolean {
  return text.length > yamlLimits.tokens / 2 && text.split('\n', quick.lines).length === quick.lines
}

/** Templates, tabs, lone carriage returns, directives, ends of documents, and characters beyond plain text. */
const unusual = /\{\{|\t|\r(?!\n)|^(?:%|\.\.\.)|[^\n\r -~\u00a1-\u167f\u1681-\u1fff\u3001-\ud7ff]/m

/** Thrown to leave the text to `parseYaml`. */
const outOfTheOrdinary = new Error('out of the ordinary')

/** A key without quotes, and its colon. */
const plainKey = /[A-Za-z_/][\w./-]{0,99}:(?=[ \n]|$)/y
/** The colon behind a key in quotes; between brackets no space needs to follow, as in JSON. */
const colon = /:(?=[ \n]|$)/y
const flowColon = /:/y
/** A text in quotes, on one line. */
const quoted = /"(?:[^"\\\n]|\\["\\/bfnrt])*"|'(?:[^'\n]|'')*'/y
/** A text without quotes in a block: to the end of the line, where a comment may be. */
const plainText = /(?:-(?=[\w.]))?[\w/.~+$(<=^;\\\u00a1-\ud7ff][^\n]*/y
/** The same between brackets. */
const plainPart = /(?:-(?=[\w.]))?[\w/.~+$(\u00a1-\ud7ff](?:[^\n,[\]{}:#]|:(?=[^ \n,[\]{}]))*/y
/** A key and its text between brackets, as most are. */
const plainEntry = /([A-Za-z_/][\w./-]{0,99}): ([\w/.~+$(\u00a1-\ud7ff][^\n,[\]{}:#]*)/y
const anchorName = /[\w-]+/y
const afterName = /[ \n,\]}]|$/y
const blockHeader = /[|>]-?(?=\n)/y

/**
 * Reads the text once, from line to line. A line is told by the column where its content begins: for an entry of a
 * list, the content behind its dash counts as a line of its own, as it does in YAML.
 */
class QuickReader {
  readonly #text: string
  /** Where each key and each item of a list begins, if somebody asks. */
  readonly #starts: number[] | undefined
  readonly #anchors = new Map<string, { readonly value: JsonValue; readonly size: number }>()
  /** The longest key of each depth, which limits the paths. */
  readonly #longestKeys: number[] = []
  /** Where the value of `/metadata/name` begins. */
  nameAt: number | undefined
  /** Where that of `/spec/site/url` begins. */
  urlAt: number | undefined
  /** The next character to read. */
  #at = 0
  /** The column of the content at `#at`; -1 at the end of the text. */
  #column = -1
  #depth = 0
  #values = 0
  #aliases = 0
  #openAnchors = 0

  constructor(text: string, starts?: number[]) {
    this.#text = text
    this.#starts = starts
  }

  readDocument(): JsonValue {
    this.#moveToContent()
    if (this.#column === 0 && this.#text.startsWith('---', this.#at)) {
      this.#at += 3
      this.#endLine()
    }
    this.#noteStart()
    const isFlow = this.#isAt('{') || this.#isAt('[')
    const value = isFlow ? this.#readInline(-1) : this.#readBlock()
    if (this.#column !== -1) throw outOfTheOrdinary
    // Below an alias a path may be as long again.
    const longestPath = 2 * this.#longestKeys.reduce((sum, length) => sum + 1 + length, 0)
    if (this.#values * longestPath > yamlLimits.pathCharacters) throw outOfTheOrdinary
    return value
  }

  /** Reads the map or list that begins at this line. */
  #readBlock(): JsonValue {
    return this.#isAtDash() ? this.#readList() : this.#readMap()
  }

  #readMap(): JsonValue {
    this.#enter()
    const column = this.#column
    const members: Record<string, JsonValue> = {}
    do {
      const key = this.#readKey(members, colon)
      this.#noteIdentity(key, this.#at)
      members[key] = this.#isAtEndOfLine() ? this.#readBelow(column, 'map') : this.#readInline(column)
    } while (this.#column === column)
    this.#leave(column)
    return members
  }

  #readList(): JsonValue {
    this.#enter()
    const column = this.#column
    const items: JsonValue[] = []
    while (this.#column === column && this.#isAtDash()) {
      this.#at += 1
      const start = this.#at
      if (this.#isAtEndOfLine()) {
        items.push(this.#readBelow(column, 'list'))
        continue
      }
      this.#noteStart()
      if (this.#isAtKey()) {
        this.#column += 1 + this.#at - start
        items.push(this.#readMap())
      } else items.push(this.#readInline(column))
    }
    this.#leave(column)
    return items
  }

  #enter() {
    this.#count()
    this.#depth += 1
    if (this.#depth > quick.depth) throw outOfTheOrdinary
    this.#longestKeys[this.#depth] ??= longestIndex
  }

  #leave(column: number) {
    this.#depth -= 1
    // A deeper line would belong to the text before it.
    if (this.#column > column) throw outOfTheOrdinary
  }

  #count(values = 1) {
    this.#values += values
    if (this.#values > quick.values) throw outOfTheOrdinary
  }

  /** Reads what is on the lines below a key or a dash: the list of a key may begin in the column of the key. */
  #readBelow(column: number, owner: 'map' | 'list'): JsonValue {
    this.#endLine()
    if (owner === 'list') this.#noteStart()
    if (this.#column > column) return this.#readBlock()
    if (this.#starts !== undefined && owner === 'list') throw outOfTheOrdinary
    if (owner === 'map' && this.#column === column && this.#isAtDash()) return this.#readList()
    this.#count()
    return null
  }

  #isAtKey(): boolean {
    if (!this.#isAtQuote()) return matchesAt(plainKey, this.#text, this.#at)
    return matchesAt(quoted, this.#text, this.#at) && matchesAt(colon, this.#text, quoted.lastIndex)
  }

  /** Reads a key and its colon. */
  #readKey(members: Readonly<Record<string, JsonValue>>, colonAfterQuotes: RegExp): string {
    this.#noteStart()
    if (!this.#isAtQuote())
      return this.#checkKey(parsePlainScalar(this.#slice(plainKey).slice(0, -1)), members)
    const key = this.#readQuoted()
    this.#slice(colonAfterQuotes)
    return this.#checkKey(key, members)
  }

  /** A key is a text, and new; some mean more than their text. */
  #checkKey(key: JsonValue, members: Readonly<Record<string, JsonValue>>): string {
    if (typeof key !== 'string' || key === '<<' || key === '__proto__' || Object.hasOwn(members, key))
      throw outOfTheOrdinary
    // An object lists such keys first.
    if (this.#starts !== undefined && /^\d+$/.test(key)) throw outOfTheOrdinary
    // A slash is escaped in a path.
    const length = key.includes('/') ? 2 * key.length : key.length
    this.#longestKeys[this.#depth] = Math.max(this.#longestKeys[this.#depth] ?? 0, length)
    return key
  }

  /** Reads a value that begins on this line, to the end of its last line. */
  #readInline(column: number): JsonValue {
    switch (this.#text[this.#at]) {
      case '&':
        return this.#readAnchored(column)
      case '|':
      case '>':
        this.#count()
        return this.#readBlockText(column)
      case '[':
      case '{':
      case '"':
      case "'":
      case '*': {
        const value = this.#readFlow(column)
        this.#endLine()
        return value
      }
      default: {
        this.#count()
        const value = this.#readPlain()
        this.#endLine()
        return value
      }
    }
  }

  #readAnchored(column: number): JsonValue {
    this.#at += 1
    const name = this.#readAnchorName()
    this.#openAnchors += 1
    if (this.#openAnchors > 1) throw outOfTheOrdinary
    const isBelow = this.#isAtEndOfLine()
    if (isBelow) this.#endLine()
    if (isBelow && this.#column <= column) throw outOfTheOrdinary
    const before = this.#values
    const value = isBelow ? this.#readBlock() : this.#readInline(column)
    this.#openAnchors -= 1
    this.#anchors.set(name, { value, size: this.#values - before })
    return value
  }

  #readAlias(): JsonValue {
    this.#at += 1
    const known = this.#anchors.get(this.#readAnchorName())
    this.#aliases += 1
    if (known === undefined || this.#aliases > quick.aliases || this.#openAnchors > 0) throw outOfTheOrdinary
    this.#count(known.size)
    return known.value
  }

  #readAnchorName(): string {
    const name = this.#slice(anchorName)
    // The fields of an alias are written elsewhere.
    if (this.#starts !== undefined) throw outOfTheOrdinary
    if (!matchesAt(afterName, this.#text, this.#at)) throw outOfTheOrdinary
    return name
  }

  /** Reads a text without quotes: `a: b` would be a map in it, and a line may end in a comment. */
  #readPlain(): JsonValue {
    const line = this.#slice(plainText)
    const comment = line.indexOf(' #')
    const text = trimSpaces(comment === -1 ? line : line.slice(0, comment))
    if (text.includes(': ') || text.endsWith(':')) throw outOfTheOrdinary
    return parsePlainScalar(text)
  }

  #readQuoted(): string {
    const text = this.#slice(quoted)
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
    return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
  }

  /** Reads a value that stands for itself: in quotes, between brackets, or an alias. */
  #readFlow(column: number): JsonValue {
    if (this.#isAt('*')) return this.#readAlias()
    if (this.#isAt('{')) return this.#readFlowMap(column)
    if (this.#isAt('[')) return this.#readFlowList(column)
    this.#count()
    return this.#isAtQuote() ? this.#readQuoted() : parsePlainScalar(trimSpaces(this.#slice(plainPart)))
  }

  #readFlowMap(column: number): JsonValue {
    const members: Record<string, JsonValue> = {}
    this.#readEntries('}', column, () => {
      plainEntry.lastIndex = this.#at
      const [whole, name = '', text = ''] = plainEntry.exec(this.#text) ?? []
      const end = this.#text[this.#at + (whole?.length ?? 0)]
      if (whole !== undefined && (end === ',' || end === '}')) {
        this.#count()
        this.#noteStart()
        this.#noteIdentity(name, this.#at + name.length + 1)
        this.#at += whole.length
        members[this.#checkKey(parsePlainScalar(name), members)] = parsePlainScalar(trimSpaces(text))
        return
      }
      const key = this.#readKey(members, flowColon)
      this.#moveInFlow(column)
      this.#noteIdentity(key, this.#at)
      members[key] = this.#readFlow(column)
    })
    return members
  }

  #readFlowList(column: number): JsonValue {
    const items: JsonValue[] = []
    this.#readEntries(']', column, () => {
      this.#noteStart()
      items.push(this.#readFlow(column))
    })
    return items
  }

  #readEntries(close: '}' | ']', column: number, readEntry: () => void) {
    this.#enter()
    this.#at += 1
    this.#moveInFlow(column)
    while (!this.#isAt(close)) {
      readEntry()
      if (!this.#isAt(',')) this.#moveInFlow(column)
      if (this.#isAt(',')) {
        this.#at += 1
        this.#moveInFlow(column)
      } else if (!this.#isAt(close)) throw outOfTheOrdinary
    }
    this.#at += 1
    this.#depth -= 1
  }

  /** Reads lines as they are, or as one line; the empty ones at the end do not count. */
  #readBlockText(column: number): string {
    const header = this.#slice(blockHeader)
    const lines: string[] = []
    let width = 0
    let start = this.#at + 1
    while (start < this.#text.length) {
      const content = this.#findContent(start)
      const indent = content - start
      const isBlank = this.#text[content] === '\n'
      if (!isBlank && indent <= column) break
      width ||= indent
      const end = this.#text.indexOf('\n', content)
      if (end === -1 || (isBlank ? indent > 0 || lines.length === 0 : indent < width)) throw outOfTheOrdinary
      lines.push(this.#text.slice(start + width, end))
      start = end + 1
    }
    this.#at = start
    this.#moveToContent()
    while (lines.at(-1) === '') lines.pop()
    // In a folded text, an empty or a deeper line has a meaning of its own.
    const isFolded = header.startsWith('>')
    if (lines.length === 0 || (isFolded && lines.some(line => /^(?: |$)| $/.test(line))))
      throw outOfTheOrdinary
    return lines.join(isFolded ? ' ' : '\n') + (header.endsWith('-') ? '' : '\n')
  }

  /** Notes where the name or the URL begins, by its key and depth; nowhere if there is a second one. */
  #noteIdentity(key: string, from: number) {
    const isName = key === 'name' && this.#depth === 2
    if (!isName && (key !== 'url' || this.#depth !== 3)) return
    const at = this.#findContent(from)
    const start = this.#text[at] === '"' || this.#text[at] === "'" ? at + 1 : at
    if (isName) this.nameAt = this.nameAt === undefined ? start : -1
    else this.urlAt = this.urlAt === undefined ? start : -1
  }

  #noteStart() {
    this.#starts?.push(this.#at)
  }

  #isAt(character: string): boolean {
    return this.#text[this.#at] === character
  }

  #isAtQuote(): boolean {
    return this.#isAt('"') || this.#isAt("'")
  }

  #isAtDash(): boolean {
    const after = this.#text[this.#at + 1]
    return this.#isAt('-') && (after === ' ' || after === '\n' || after === undefined)
  }

  /** Moves over spaces; true where the rest of the line has no content. */
  #isAtEndOfLine(): boolean {
    this.#at = this.#findContent(this.#at)
    const character = this.#text[this.#at]
    if (character === undefined || character === '\n') return true
    // A comment begins after a space.
    return character === '#' && /[ \n]/.test(this.#text[this.#at - 1] ?? '\n')
  }

  /** Ends a line, of which only a comment may be left, and moves to the next content. */
  #endLine() {
    if (!this.#isAtEndOfLine()) throw outOfTheOrdinary
    this.#at = this.#findNextLine(this.#at)
    this.#moveToContent()
  }

  /** Moves from the start of a line to the next content. */
  #moveToContent() {
    for (let start = this.#at; start < this.#text.length; start = this.#findNextLine(this.#at)) {
      this.#at = this.#findContent(start)
      this.#column = this.#at - start
      if (!this.#isAtEndOfLine()) return
    }
    this.#at = this.#text.length
    this.#column = -1
  }

  /** Moves to the next content between brackets, whose lines are deeper than their owner. */
  #moveInFlow(column: number) {
    while (this.#isAtEndOfLine() && this.#at < this.#text.length) {
      const start = this.#findNextLine(this.#at)
      this.#at = this.#findContent(start)
      if (this.#at - start <= column && !this.#isAt('\n')) throw outOfTheOrdinary
    }
  }

  #findNextLine(from: number): number {
    const end = this.#text.indexOf('\n', from)
    return end === -1 ? this.#text.length : end + 1
  }

  #findContent(from: number): number {
    let at = from
    while (this.#text[at] === ' ') at += 1
    return at
  }

  #slice(pattern: RegExp): string {
    if (!matchesAt(pattern, this.#text, this.#at)) throw outOfTheOrdinary
    const from = this.#at
    this.#at = pattern.lastIndex
    return this.#text.slice(from, this.#at)
  }
}

/** True if a sticky pattern matches in one place; its `lastIndex` is then the end. */
function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Only the spaces of YAML: a text may end in another. */
function trimSpaces(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end -= 1
  return text.slice(0, end)
}

const plainStarts = new Set(
  [...'abcdeghijklmopqrsuvwxyzABCDEGHIJKLMOPQRSUVWXYZ/'].map(one => one.charCodeAt(0)),
)

/** Converts a plain scalar by the core schema; only simple numbers, the others are left to `parseYaml`. */
function parsePlainScalar(text: string): JsonValue {
  // Most begin with a letter that no word of YAML begins with; looking it up takes a tenth of a pattern.
  if (plainStarts.has(text.charCodeAt(0))) return text
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (!/^[-+.]?[0-9]|^[-+]?\./.test(text)) return text
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^0[ox][\da-fA-F]+$|^[-+]?\.(?:inf|nan)$/i.test(text))
    throw outOfTheOrdinary
  return text
}
