import { createHmac, randomBytes } from 'node:crypto'
import { Secret, type SecretFile, type SecretsToSend } from '../../secrets/secret.js'
import type { Redaction, Redactor } from '../route.js'
import { type Reading, readSpellings } from './spellings.js'

/** The placeholder for a secret, and for a text that was not searched. */
export const mark = '***'
/** A shorter secret would be found inside ordinary words. */
export const minBytes = 3
/** Enough for any text of a site, and for all texts of one response. A longer text is not shown. */
export const maxCharacters = 64 * 1024
/** A text that repeats secrets more often is not shown: each occurrence costs a digest. */
const maxRanges = 10_000
/** The size of the largest secret that can be in a text. A longer one may still be quoted in part, word by word. */
export const maxSecretBytes = 3 * maxCharacters

/** Returns texts unchanged. */
export const noSecrets: Redactor = text => text

/**
 * Creates a function that replaces secrets in a text, in each spelling of `spellings.ts`, by `mark`. Keeps only a keyed
 * digest of each secret, so the caller may wipe them.
 */
export function redactorFor(secrets: Iterable<Secret>): Redactor {
  const texts = [...secrets]
    .filter(({ bytes: { byteLength } }) => byteLength >= minBytes && byteLength <= maxSecretBytes)
    .flatMap(({ bytes }) => [bytes, ...listLongWords(bytes)])
  if (texts.length === 0) return noSecrets
  const search = createSearch(texts)
  return text => {
    if (text.length > maxCharacters) return mark
    const ranges: Range[] = []
    for (const reading of readSpellings(text)) findTraces(reading, search, ranges)
    if (ranges.length >= maxRanges) return mark
    return ranges.length === 0 ? text : replaceRanges(Buffer.from(text), ranges)
  }
}

/** Creates a redaction from one redactor. It is complete, because no other secret is at stake. */
export function redactOnly(redact: Redactor): Redaction {
  return { redact, isComplete: true }
}

/** Combines two redactions. The result is complete if both are. */
export function redactAlso(one: Redaction, another: Redaction): Redaction {
  return {
    ...one,
    redact: text => one.redact(another.redact(text)),
    isComplete: one.isComplete && another.isComplete,
  }
}

/** Creates the redaction for the secrets of a request; incomplete if one of them is too large to be known. */
export function redactionFor(secrets: SecretsToSend): Redaction {
  const all: readonly (Secret | SecretFile)[] = [...secrets.values()]
  const known = all
    .filter(one => one instanceof Secret)
    .filter(({ bytes }) => bytes.byteLength <= maxSecretBytes)
  return { redact: redactorFor(known), isComplete: known.length === all.length }
}

/** Words of this length are rare outside of keys. */
const minWordBytes = 16
const separators = new Set(Buffer.from('"\'<>{}[],:;='))

/** Lists the long words inside a secret: a service quotes the key in a license file, not the file. */
function listLongWords(secret: Buffer): readonly Buffer[] {
  const words: Buffer[] = []
  let start = 0
  for (let at = 0; at <= secret.byteLength; at += 1) {
    const byte = secret[at] ?? 0
    if (byte > 0x20 && !separators.has(byte)) continue
    if (at - start >= minWordBytes && at - start < secret.byteLength) words.push(secret.subarray(start, at))
    start = at + 1
  }
  return words
}

/** A range of bytes, without the one at `end`. */
type Range = readonly [start: number, end: number]

/** The facts that remain known of a secret after it was wiped. */
interface Trace {
  readonly byteLength: number
  /** A rolling sum, which is cheap to compute for any part of a text. Only if it matches is the digest computed. */
  readonly sum: number
  /** `base` to the power of the length. */
  readonly power: number
  isDigestOf(bytes: Uint8Array): boolean
}

const base = 0x01000193

function createTrace(secret: Buffer, key: Buffer): Trace {
  const compute = (bytes: Uint8Array) => createHmac('sha256', key).update(bytes).digest()
  const digest = compute(secret)
  const { byteLength } = secret
  return {
    byteLength,
    sum: computeSum(secret),
    power: raiseBase(byteLength),
    isDigestOf: bytes => compute(bytes).equals(digest),
  }
}

function computeSum(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => (Math.imul(sum, base) + byte) | 0, 0)
}

function raiseBase(exponent: number): number {
  let power = 1
  for (let at = 0; at < exponent; at += 1) power = Math.imul(power, base)
  return power
}

/** Secrets by the sum of their first bytes: one pass over a text finds them all. */
interface Search {
  /** The number of first bytes: the length of the shortest secret, but at most that of a long word. */
  readonly byteLength: number
  readonly power: number
  readonly traces: ReadonlyMap<number, readonly Trace[]>
  /** Has a mark at the low bits of each sum, and is checked first: a look-up in the map takes longer. */
  readonly filter: Uint8Array
}

function createSearch(secrets: readonly Buffer[]): Search {
  const key = randomBytes(32)
  const byteLength = Math.min(minWordBytes, ...secrets.map(secret => secret.byteLength))
  const traces = new Map<number, Trace[]>()
  const filter = new Uint8Array(1 << 16)
  for (const secret of secrets) {
    const startSum = computeSum(secret.subarray(0, byteLength))
    filter[startSum & 0xffff] = 1
    const others = traces.get(startSum)
    const trace = createTrace(secret, key)
    if (others === undefined) traces.set(startSum, [trace])
    else others.push(trace)
  }
  return { byteLength, power: raiseBase(byteLength), traces, filter }
}

/** Computes the sum of the bytes before each place. */
function sumPrefixes(bytes: Buffer): Int32Array {
  const sums = new Int32Array(bytes.byteLength + 1)
  for (let at = 0; at < bytes.byteLength; at += 1)
    sums[at + 1] = Math.imul(sums[at] as number, base) + (bytes[at] as number)
  return sums
}

function findTraces(
  { bytes, starts, ends }: Reading,
  { byteLength, power, traces, filter }: Search,
  found: Range[],
): void {
  const sums = sumPrefixes(bytes)
  for (let start = 0; start + byteLength < sums.length; start += 1) {
    const before = sums[start] as number
    const startSum = ((sums[start + byteLength] as number) - Math.imul(before, power)) | 0
    if (filter[startSum & 0xffff] === 0) continue
    for (const trace of traces.get(startSum) ?? []) {
      const end = start + trace.byteLength
      if (end >= sums.length || (((sums[end] as number) - Math.imul(before, trace.power)) | 0) !== trace.sum)
        continue
      if (found.length < maxRanges && trace.isDigestOf(bytes.subarray(start, end)))
        found.push([starts[start] as number, ends[end - 1] as number])
    }
  }
}

/** Replaces ranges by the mark, merging those that overlap. */
function replaceRanges(bytes: Buffer, ranges: readonly Range[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= at) pieces.push(bytes.toString('utf8', at, start), mark)
    at = Math.max(at, end)
  }
  return [...pieces, bytes.toString('utf8', at)].join('')
}
