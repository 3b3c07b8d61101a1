import { createHmac, randomBytes } from 'node:crypto'
import type { Secret } from '../secrets/secret.js'
import { usualMostBytes } from './exchange.js'
import { type ServiceFailure, withTexts } from './failure.js'
import { encodeJson } from './wire/json-bytes.js'

/** A text of a site with every secret that it was sent blotted out. */
export type Blotter = (text: string) => string

const mark = '***'
/** A shorter one would be found where it is not meant. */
const fewestBytes = 3
/** Of texts of so many characters together it is known how they are without secrets. */
const mostKnownCharacters = 4_000_000
/** What neither base64 nor an address has inside a value; and what no address has at all, where values were escaped by halves. */
const words = [/[^\s"'<>,;:=&(){}[\]|]+=*/g, /[^\s"<>]+/g]

/** What finds a secret after it was wiped, and does not tell it. */
interface Trace {
  readonly byteLength: number
  /** Rolls along a text, so that the digest is asked only where it may be the same. */
  readonly sum: number
  readonly digest: Buffer
}

/**
 * Blots secrets out, as they are, or as JSON, HTML, addresses and base64 have them: a site may repeat what it was sent, at once
 * or in a later answer, and its texts are shown and kept. The secrets may be wiped meanwhile.
 */
export function blotterFor(secrets: Iterable<Secret>): Blotter {
  const key = randomBytes(32)
  // No text is longer than an answer.
  const sent = [...secrets].filter(
    ({ bytes: { byteLength } }) => byteLength >= fewestBytes && byteLength <= usualMostBytes,
  )
  const traces = sent.flatMap(secret => {
    const quoted = encodeJson(secret)
    const spellings = [secret.bytes, quoted.subarray(1, -1)]
    const differ = quoted.byteLength - 2 !== secret.bytes.byteLength
    const found = spellings.slice(0, differ ? 2 : 1).map(bytes => traceOf(bytes, key))
    quoted.fill(0)
    return found
  })
  // The longest first: one may hold another.
  const longestFirst = traces.toSorted((one, other) => other.byteLength - one.byteLength)
  const isIn = (bytes: Buffer) => traces.some(trace => indexOf(bytes, { trace, key, from: 0 }) >= 0)
  const blotted = (word: string) =>
    [percentDecoded(word), Buffer.from(word, 'base64')].some(isIn) ? mark : word
  const blottedOnce = (text: string) => {
    const plain = longestFirst.reduce((rest, trace) => withoutTrace(rest, trace, key), text)
    const rest = words.reduce((before, word) => before.replaceAll(word, blotted), plain)
    // Where that stands cannot be told, so none of it is.
    return [jsonDecoded(rest), htmlDecoded(rest)].some(isIn) ? mark : rest
  }
  // Look after look a site says the same, now and then at great length. What it said is kept as a digest only.
  const known = new Map<string, string>()
  let characters = 0
  return text => {
    const said = digestOf(Buffer.from(text), key).toString('base64')
    const before = known.get(said)
    if (before !== undefined) return before
    const without = blottedOnce(text)
    characters += said.length + without.length
    if (characters > mostKnownCharacters) {
      known.clear()
      characters = 0
    }
    known.set(said, without)
    return without
  }
}

/** A failure whose texts, if they are of the site, hold none of the secrets. */
export function blottedFailure(failure: ServiceFailure, blot: Blotter): ServiceFailure {
  return withTexts(failure, blot)
}

function withoutTrace(text: string, trace: Trace, key: Buffer): string {
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  let from = 0
  for (let at = indexOf(bytes, { trace, key, from }); at >= 0; at = indexOf(bytes, { trace, key, from })) {
    pieces.push(bytes.toString('utf8', from, at))
    from = at + trace.byteLength
  }
  return pieces.length === 0 ? text : [...pieces, bytes.toString('utf8', from)].join(mark)
}

const base = 0x01000193

function traceOf(bytes: Buffer, key: Buffer): Trace {
  const sum = bytes.reduce((before, byte) => (Math.imul(before, base) + byte) | 0, 0)
  return { byteLength: bytes.byteLength, sum, digest: digestOf(bytes, key) }
}

function digestOf(bytes: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest()
}

interface Search {
  readonly trace: Trace
  readonly key: Buffer
  readonly from: number
}

function indexOf(bytes: Buffer, { trace: { byteLength, sum, digest }, key, from }: Search): number {
  // Most texts are short, and a license has millions of bytes.
  if (byteLength > bytes.byteLength - from) return -1
  let highest = 1
  for (let power = 1; power < byteLength; power += 1) highest = Math.imul(highest, base)
  let rolling = 0
  for (let end = from; end < bytes.byteLength; end += 1) {
    const start = end - byteLength + 1
    if (start > from) rolling = (rolling - Math.imul(bytes[start - 1] ?? 0, highest)) | 0
    rolling = (Math.imul(rolling, base) + (bytes[end] ?? 0)) | 0
    if (start < from || rolling !== sum) continue
    if (digestOf(bytes.subarray(start, end + 1), key).equals(digest)) return start
  }
  return -1
}

function percentDecoded(word: string): Buffer {
  const byteOf = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  return Buffer.from(word.replaceAll('+', ' ').replaceAll(/%([0-9a-f]{2})/gi, byteOf), 'latin1')
}

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function jsonDecoded(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code: string | undefined, letter: string) =>
      code === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )
}

function htmlDecoded(text: string): Buffer {
  const characterOf = (whole: string, ...[decimal, hex, name]: readonly (string | undefined)[]) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return Number.isNaN(code) ? (entities[name ?? ''] ?? whole) : String.fromCharCode(code)
  }
  return Buffer.from(text.replaceAll(/&(?:#(\d{1,5})|#x([0-9a-f]{1,4})|([a-z]+));/gi, characterOf))
}
