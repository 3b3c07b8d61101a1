import { randomBytes } from 'node:crypto'
import { type Folded, fold, wipeFolded } from './folded.js'

/** So much of a secret already helps to guess the rest, in characters. */
const partLength = 6
/**
 * A license is full of ordinary words, so that only long pieces reveal anything. One piece of every so many characters is
 * noted, so that any of twice the length less one is found.
 */
const pieceLength = 24
/** Larger ones are found as a whole only. */
const maxBytes = 256 * 1024

/** The parts of secrets, by which they are found after they were wiped; kept are sums under a key, not the parts. */
export interface SecretParts {
  /** Finds parts of secrets in a text, as ranges of its bytes. */
  rangesIn(bytes: Buffer): readonly Range[]
  /** True for a text with a piece of a license. Where the license begins and ends there is not known. */
  hasPiece(bytes: Buffer): boolean
}

/** From a byte to before another. */
export type Range = readonly [from: number, to: number]

/** The secrets whose parts are found. */
export interface SecretsToFind {
  readonly secrets: readonly Buffer[]
  readonly licenses: readonly Buffer[]
  /** True for a part of a public word, which reveals nothing of a secret. */
  isPublic(part: string): boolean
}

/** Collects the parts of secrets, forwards and backwards. */
export function collectParts({ secrets, licenses, isPublic }: SecretsToFind): SecretParts {
  const sum = createKeyedSum()
  const parts = new Set<number>()
  const pieces = new Set<number>()
  for (const bytes of secrets) noteParts(bytes, { into: parts, length: partLength, step: 1, sum })
  for (const bytes of licenses)
    noteParts(bytes, { into: pieces, length: pieceLength, step: pieceLength, sum })
  const matches = (folded: Folded): readonly Range[] => {
    const { codes } = folded
    const isPart = (at: number) => at + partLength <= codes.length && parts.has(sum(codes, at, partLength))
    return findRuns(folded, isPart, isPublic)
  }
  const hasPiece = ({ codes }: Folded): boolean => {
    for (let at = 0; at + pieceLength <= codes.length; at += 1)
      if (pieces.has(sum(codes, at, pieceLength))) return true
    return false
  }
  return {
    rangesIn: bytes => joinRanges(fold(bytes).flatMap(matches)),
    hasPiece: bytes => pieces.size > 0 && fold(bytes).some(hasPiece),
  }
}

type Sum = (codes: Uint32Array, from: number, length: number) => number

interface Noting {
  readonly into: Set<number>
  readonly length: number
  readonly step: number
  readonly sum: Sum
}

function noteParts(bytes: Buffer, { into, length, step, sum }: Noting): void {
  if (bytes.length > maxBytes) return
  const views = fold(bytes)
  for (const { codes } of views)
    for (const turned of [codes, codes.toReversed()]) {
      for (let at = 0; at + length <= turned.length; at += step) into.add(sum(turned, at, length))
      turned.fill(0)
    }
  wipeFolded(views)
}

/** The ranges that parts lie in one after the other, without those of public words. */
function findRuns(
  { codes, starts, ends }: Folded,
  isPart: (at: number) => boolean,
  isPublic: (part: string) => boolean,
): readonly Range[] {
  const ranges: Range[] = []
  for (let at = 0; at < codes.length; at += 1) {
    if (!isPart(at)) continue
    const first = at
    while (isPart(at + 1)) at += 1
    const last = at + partLength - 1
    const run = String.fromCodePoint(...codes.subarray(first, Math.min(last + 1, first + 256)))
    if (!isPublic(run)) ranges.push([starts[first] ?? 0, ends[last] ?? 0])
  }
  return ranges
}

/** Ranges in order, those that meet made one. */
function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = result.at(-1)
    if (before !== undefined && from <= before[1])
      result[result.length - 1] = [before[0], Math.max(to, before[1])]
    else result.push([from, to])
  }
  return result
}

/** Computes a keyed sum of 53 bits, which reveals nothing without its key. */
function createKeyedSum(): Sum {
  const key = randomBytes(16)
  const [one, other] = [key.readInt32LE(0) | 1, key.readInt32LE(4) | 1]
  const [begin, beginOther] = [key.readInt32LE(8), key.readInt32LE(12)]
  return (codes, from, length) => {
    let [high, low] = [begin, beginOther]
    for (let at = from; at < from + length; at += 1) {
      const code = codes[at] as number
      high = Math.imul(high ^ code, one)
      high ^= high >>> 15
      low = Math.imul(low + code, other)
      low ^= low >>> 13
    }
    return (high >>> 0) * 2 ** 21 + (low >>> 11)
  }
}
