import { createHmac, randomBytes } from 'node:crypto'
import { Secret } from '../../secrets/secret.js'
import { encodeJson } from '../wire/json-bytes.js'

/** Finds whole secrets after they were wiped, and reveals none. */
export interface Traces {
  isIn(bytes: Buffer): boolean
  /** A text with each of them replaced. */
  without(text: string, mark: string): string
}

interface Trace {
  readonly byteLength: number
  /** Rolls along a text, so that the digest is asked only where it may be the same. */
  readonly sum: number
  readonly digest: Buffer
}

/** Notes secrets as they are, and as JSON has them. */
export function createTraces(secrets: readonly Buffer[]): Traces {
  const key = randomBytes(32)
  const traces = secrets.flatMap(bytes => {
    const quoted = encodeJson(new Secret(bytes))
    const spellings = [bytes, quoted.subarray(1, -1)]
    const differ = quoted.byteLength - 2 !== bytes.byteLength
    const found = spellings.slice(0, differ ? 2 : 1).map(one => createTrace(one, key))
    quoted.fill(0)
    return found
  })
  // The longest first: one may hold another.
  const longestFirst = traces.toSorted((one, other) => other.byteLength - one.byteLength)
  return {
    isIn: bytes => traces.some(trace => findTrace(bytes, { trace, key, from: 0 }) >= 0),
    without: (text, mark) =>
      longestFirst.reduce((rest, trace) => removeTrace(rest, { trace, key, mark }), text),
  }
}

function removeTrace(
  text: string,
  { trace, key, mark }: Omit<Search, 'from'> & { readonly mark: string },
): string {
  const bytes = Buffer.from(text)
  const pieces: string[] = []
  let from = 0
  for (
    let at = findTrace(bytes, { trace, key, from });
    at >= 0;
    at = findTrace(bytes, { trace, key, from })
  ) {
    pieces.push(bytes.toString('utf8', from, at))
    from = at + trace.byteLength
  }
  return pieces.length === 0 ? text : [...pieces, bytes.toString('utf8', from)].join(mark)
}

const base = 0x01000193

function createTrace(bytes: Buffer, key: Buffer): Trace {
  const sum = bytes.reduce((before, byte) => (Math.imul(before, base) + byte) | 0, 0)
  return { byteLength: bytes.byteLength, sum, digest: computeTraceDigest(bytes, key) }
}

function computeTraceDigest(bytes: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest()
}

interface Search {
  readonly trace: Trace
  readonly key: Buffer
  readonly from: number
}

function findTrace(bytes: Buffer, { trace: { byteLength, sum, digest }, key, from }: Search): number {
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
    if (computeTraceDigest(bytes.subarray(start, end + 1), key).equals(digest)) return start
  }
  return -1
}
