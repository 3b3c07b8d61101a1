import { createHmac, randomBytes } from 'node:crypto'
import { Secret, type SecretsToSend } from '../../secrets/secret.js'
import type { Redaction, Redactor } from '../route.js'
import { type Reading, readSpellings } from './spellings.js'

const mark = '***'
/** A shorter secret would be found inside ordinary words. */
const minBytes = 3
/** No text of a site needs more. A longer one is not shown, so a longer secret cannot be repeated. */
const maxCharacters = 64 * 1024
/** The size of the largest secret that can be in a text. */
export const maxSecretBytes = 3 * maxCharacters

/** For texts that are shown as they are. */
export const noSecrets: Redactor = text => text

/**
 * Makes a function that replaces secrets in a text by a mark, in each spelling of `spellings.ts`. Keeps a keyed digest of
 * each secret, so that the caller may wipe them.
 */
export function redactorFor(secrets: Iterable<Secret>): Redactor {
  const key = randomBytes(32)
  const traces = [...secrets]
    .filter(({ bytes: { byteLength } }) => byteLength >= minBytes && byteLength <= maxSecretBytes)
    .flatMap(({ bytes }) => [bytes, ...listLongWords(bytes)])
    .map(bytes => createTrace(bytes, key))
  if (traces.length === 0) return noSecrets
  return text => {
    if (text.length > maxCharacters) return mark
    const ranges: Range[] = []
    for (const reading of readSpellings(text))
      for (const trace of traces) ranges.push(...findTrace(reading, trace))
    return ranges.length === 0 ? text : replaceRanges(Buffer.from(text), ranges)
  }
}

/** The redaction by one redactor, where no other secret is at stake. */
export function redactOnly(redact: Redactor): Redaction {
  return { redact, isComplete: true }
}

/** Also redacts what another redactor knows. */
export function redactAlso({ redact, isComplete }: Redaction, another: Redactor): Redaction {
  return { redact: text => redact(another(text)), isComplete }
}

/** Makes the redactor for the secrets of a request. A file that is too large for memory is longer than any text. */
export function redactorForAll(secrets: SecretsToSend): Redactor {
  return redactorFor([...secrets.values()].filter(one => one instanceof Secret))
}

/** Words of this length are rare outside of keys. */
const minWordBytes = 16
/** A file with more long words is one of lines, such as a certificate. */
const maxWords = 100
const separators = new Set(Buffer.from('"\'<>{}[],:;='))

/** Lists the longest words inside a secret: a service quotes the key in a license file, not the file. */
function listLongWords(secret: Buffer): readonly Buffer[] {
  const words: Buffer[] = []
  let start = 0
  for (let at = 0; at <= secret.byteLength; at += 1) {
    const byte = secret[at] ?? 0
    if (byte > 0x20 && !separators.has(byte)) continue
    if (at - start >= minWordBytes && at - start < secret.byteLength) words.push(secret.subarray(start, at))
    start = at + 1
  }
  return words.toSorted((one, other) => other.byteLength - one.byteLength).slice(0, maxWords)
}

/** The bytes of a text from one to before another. */
type Range = readonly [start: number, end: number]

/** What remains of a secret after it was wiped. */
interface Trace {
  readonly byteLength: number
  /** A sum that can roll along a text, so that a digest is computed only where it matches. */
  readonly sum: number
  /** The factor of the first byte in the sum. */
  readonly highest: number
  isDigestOf(bytes: Uint8Array): boolean
}

const base = 0x01000193

function createTrace(secret: Buffer, key: Buffer): Trace {
  const compute = (bytes: Uint8Array) => createHmac('sha256', key).update(bytes).digest()
  const digest = compute(secret)
  let [sum, highest] = [0, 1]
  for (const byte of secret) sum = (Math.imul(sum, base) + byte) | 0
  for (let power = 1; power < secret.byteLength; power += 1) highest = Math.imul(highest, base)
  return { byteLength: secret.byteLength, sum, highest, isDigestOf: bytes => compute(bytes).equals(digest) }
}

function* findTrace({ bytes, starts, ends }: Reading, trace: Trace): Generator<Range> {
  const { byteLength, sum, highest, isDigestOf } = trace
  let rolling = 0
  for (let end = 0; end < bytes.byteLength; end += 1) {
    const start = end + 1 - byteLength
    if (start > 0) rolling -= Math.imul(bytes[start - 1] as number, highest)
    rolling = (Math.imul(rolling, base) + (bytes[end] as number)) | 0
    if (start >= 0 && rolling === sum && isDigestOf(bytes.subarray(start, end + 1)))
      yield [starts[start] as number, ends[end] as number]
  }
}

/** Replaces ranges by the mark; those that overlap become one. */
function replaceRanges(bytes: Buffer, ranges: readonly Range[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= at) pieces.push(bytes.toString('utf8', at, start), mark)
    at = Math.max(at, end)
  }
  return [...pieces, bytes.toString('utf8', at)].join('')
}
