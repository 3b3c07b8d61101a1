import type { Canary } from './canaries.js'
import { type EncodingName, encodingNames, encodings } from './encodings.js'

export interface Hit {
  readonly canary: string
  readonly encoding: EncodingName
  readonly offset: number
}

/** Finds the first place of each canary in each encoding. */
export type Scanner = (bytes: Uint8Array) => readonly Hit[]

/** A part of this length already helps to guess the rest. */
const pieceCharacters = 8
/** The length of the prefix that the filter checks; no encoding makes a piece shorter. */
const headBytes = 8
const filterBits = 24

interface Needle extends Omit<Hit, 'offset'> {
  readonly bytes: Buffer
}

/** Creates a scanner for every part of a canary that has eight or more characters. */
export function scannerFor(canaries: readonly Canary[]): Scanner {
  const filter = new Uint8Array(2 ** (filterBits - 3))
  const needles = new Map<string, Needle[]>()
  for (const needle of canaries.flatMap(needlesOf)) {
    const { bytes } = needle
    const slot = slotOf(bytes.readUInt32BE(0), bytes.readUInt32BE(4))
    filter[slot >>> 3] = (filter[slot >>> 3] ?? 0) | (1 << (slot & 7))
    const head = bytes.toString('latin1', 0, headBytes)
    needles.set(head, [...(needles.get(head) ?? []), needle])
  }
  return bytes => {
    const found = new Map<string, Hit>()
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let high = 0
    let low = 0
    for (let end = 0; end < view.length; end += 1) {
      high = (high << 8) | (low >>> 24)
      low = (low << 8) | (view[end] as number)
      const slot = slotOf(high, low)
      if (((filter[slot >>> 3] as number) & (1 << (slot & 7))) === 0 || end < headBytes - 1) continue
      const offset = end - headBytes + 1
      for (const { canary, encoding, bytes: needle } of needles.get(
        view.toString('latin1', offset, end + 1),
      ) ?? []) {
        const key = `${canary} ${encoding}`
        if (
          !found.has(key) &&
          view.compare(needle, 0, needle.length, offset, Math.min(offset + needle.length, view.length)) === 0
        )
          found.set(key, { canary, encoding, offset })
      }
    }
    return [...found.values()]
  }
}

/** Kept for the next scanner: the same seed makes the same canaries, and long ones have many pieces. */
const needlesByCanary = new Map<string, readonly Needle[]>()

function needlesOf(canary: Canary): readonly Needle[] {
  const key = `${canary.name} ${canary.value}`
  const known = needlesByCanary.get(key) ?? [...makeNeedles(canary)]
  needlesByCanary.set(key, known)
  return known
}

/** Encodes every piece of a canary; equal bytes of two encodings count for the first. */
function* makeNeedles({ name, value }: Canary): Generator<Needle> {
  const seen = new Set<string>()
  for (const encoding of encodingNames)
    for (const piece of piecesOf(value))
      for (const bytes of encodings[encoding](piece)) {
        const key = bytes.toString('latin1')
        if (seen.has(key)) continue
        seen.add(key)
        yield { canary: name, encoding, bytes }
      }
}

function piecesOf(value: string): readonly string[] {
  const characters = [...value]
  const count = Math.max(0, characters.length - pieceCharacters + 1)
  return Array.from({ length: count }, (_, at) => characters.slice(at, at + pieceCharacters).join(''))
}

function slotOf(high: number, low: number): number {
  const mixed = Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca77)
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae3d) >>> (32 - filterBits)
}
