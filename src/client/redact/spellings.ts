/** An encoding of text inside other text. */
interface Spelling {
  /** Matches the encoded bytes, in a string with one character for each byte. */
  readonly pattern: RegExp
  /** Returns the bytes of one match, or their text. */
  decode(match: string): Uint8Array | string
}

/** The spellings in which a service may repeat a value, in addition to the value itself. */
const spellings = {
  /** In JSON, with its short escapes or by number. */
  json: {
    pattern: /\\["\\/bfnrt]|(?:\\u[dD][89abAB][\da-fA-F]{2})?\\u[\da-fA-F]{4}/g,
    decode: match => JSON.parse(`"${match}"`) as string,
  },
  /** In a URL. */
  percent: { pattern: /%[\da-f]{2}/gi, decode: decodePercent },
  /** In a form, where `+` is a space. */
  form: { pattern: /\+|%[\da-f]{2}/gi, decode: match => (match === '+' ? ' ' : decodePercent(match)) },
  /** In HTML or XML, by name or by number. */
  markup: { pattern: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, decode: decodeEntity },
  /** In base64 of either alphabet, also in lines as in mail and in PEM files. */
  base64: {
    pattern: /(?:[\w+/-]{64}(?:[\w+/-]{12})?\r?\n)*[\w+/-]{4,}={0,2}/g,
    decode: match => Buffer.from(match, 'base64'),
  },
  hexadecimal: { pattern: /(?:[\da-f]{2}){3,}/gi, decode: match => Buffer.from(match, 'hex') },
  /** Bytes that a service read as Latin-1, as a servlet container does without a declared character set. */
  latin1: {
    pattern: /[\xc2\xc3][\x80-\xbf]/g,
    decode: match => Buffer.from(Buffer.from(match, 'latin1').toString(), 'latin1'),
  },
} as const satisfies Readonly<Record<string, Spelling>>

/** Bytes, each with the range of the original text that it was read from. */
export interface Reading {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** Reads a text as it is, in each spelling, and in one spelling inside another: JSON in a form, a form in base64. */
export function* readSpellings(text: string): Generator<Reading> {
  const bytes = Buffer.from(text)
  const plain = {
    bytes,
    starts: new Uint32Array(bytes.keys()),
    ends: Uint32Array.from(bytes, (_, at) => at + 1),
  }
  yield plain
  for (const once of decodeEach(plain)) {
    yield once
    yield* decodeEach(once)
  }
}

function* decodeEach(reading: Reading): Generator<Reading> {
  const text = reading.bytes.toString('latin1')
  for (const spelling of Object.values(spellings)) {
    const matches = [...text.matchAll(spelling.pattern)]
    if (matches.length > 0) yield decodeMatches(reading, matches, spelling)
  }
}

function decodeMatches(
  { bytes, starts, ends }: Reading,
  matches: readonly RegExpExecArray[],
  { decode }: Spelling,
): Reading {
  // No spelling is shorter than the bytes that it encodes.
  const read = Buffer.alloc(bytes.byteLength)
  const [from, to] = [new Uint32Array(bytes.byteLength), new Uint32Array(bytes.byteLength)]
  let [at, length] = [0, 0]
  const copyUntil = (end: number) => {
    bytes.copy(read, length, at, end)
    from.set(starts.subarray(at, end), length)
    to.set(ends.subarray(at, end), length)
    length += end - at
    at = end
  }
  for (const { index, 0: match } of matches) {
    copyUntil(index)
    at += match.length
    const decoded = Buffer.from(decode(match) as string)
    read.set(decoded, length)
    from.fill(starts[index] as number, length, length + decoded.byteLength)
    to.fill(ends[at - 1] as number, length, length + decoded.byteLength)
    length += decoded.byteLength
  }
  copyUntil(bytes.byteLength)
  return { bytes: read.subarray(0, length), starts: from, ends: to }
}

function decodePercent(match: string): Uint8Array {
  return Buffer.from(match.slice(1), 'hex')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntity(match: string): string {
  const name = match.slice(1, -1).toLowerCase()
  const code = Number(name.replace(/^#x/, '0x').replace(/^#/, ''))
  return entities[name] ?? (code > 0x10ffff ? '' : String.fromCodePoint(code))
}
