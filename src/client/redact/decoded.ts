/** So many times one writing may lie in another: base64 of base64 of an address, and one to spare. */
const maxLayers = 4
/** All writings together may be so much longer than the text. */
const maxGrowth = 64

/** Receives each decoded form of a text; returns true to end the search. */
type Visit = (bytes: Buffer) => boolean

/**
 * Decodes a text in every way that programs encode texts, repeatedly, and visits each result; true if one of them matched,
 * or if there is no end of them.
 */
export function isInDecoded(text: string, visit: Visit): boolean {
  const seen = new Set([text])
  let room = text.length * maxGrowth + 4096
  let layer: readonly string[] = [text]
  for (let depth = 0; depth < maxLayers; depth += 1) {
    const next: string[] = []
    for (const one of layer)
      for (const bytes of decodeOnce(one)) {
        room -= bytes.length
        if (room < 0 || visit(bytes)) return true
        if (!isReadable(bytes)) continue
        const again = bytes.toString().replaceAll('\0', '')
        if (seen.has(again)) continue
        seen.add(again)
        next.push(again)
      }
    layer = next
  }
  return false
}

function* decodeOnce(text: string): Generator<Buffer> {
  if (/[%\\&]/.test(text)) yield Buffer.from(unescapeText(text))
  if (/=(?:[0-9a-f]{2}|\r?\n)/i.test(text)) yield Buffer.from(decodeQuotedPrintable(text))
  if (/\p{Cc}\[/u.test(text)) yield Buffer.from(text.replaceAll(ansi, ''))
  const joined = text.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
  for (const [run] of joined.matchAll(/(?:(?:0x|\\x|[%=])?[0-9a-f]{2}[,;:._-]?){6,}/gi)) yield* fromHex(run)
  for (const [run] of text.matchAll(/\d{1,3}(?:[,;\s]+\d{1,3}){5,}/g)) yield fromDecimals(run)
  for (const one of new Set([joined, text]))
    for (const [run] of one.matchAll(/[\w+/-]{8,}/g)) yield* fromBase64(run)
}

/** Terminal sequences that move a cursor or set colours: an escape, a bracket, numbers, a letter. */
const ansi = /\p{Cc}\[[0-?]*[ -/]*[@-~]/gu

/** Bytes of a hexadecimal text, whichever digit comes first. */
function* fromHex(run: string): Generator<Buffer> {
  const digits = run.replaceAll(/0x|[^0-9a-f]/gi, '')
  for (const from of [0, 1]) yield* decodeUtf8(Buffer.from(digits.slice(from), 'hex'))
}

function fromDecimals(run: string): Buffer {
  return Buffer.from(run.split(/[,;\s]+/).map(Number))
}

/** Bytes of base64, wherever in a group of four it begins. */
function* fromBase64(run: string): Generator<Buffer> {
  for (const from of [0, 1, 2, 3]) yield* decodeUtf8(Buffer.from(run.slice(from), 'base64'))
}

/** The bytes as they are, and where they may be UTF-16, which has zeros in every text with an ASCII letter, as that. */
function* decodeUtf8(bytes: Buffer): Generator<Buffer> {
  yield bytes
  if (!bytes.includes(0)) return
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1))
  yield Buffer.from(even.toString('utf16le'))
  yield Buffer.from(even.swap16().toString('utf16le'))
}

/** True where three of four bytes are printable ASCII, so that there may be another writing in it. */
function isReadable(bytes: Buffer): boolean {
  let [printable, counted] = [0, 0]
  for (const byte of bytes) {
    if (byte === 0) continue
    counted += 1
    if ((byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d)) printable += 1
  }
  return counted >= 6 && printable * 4 >= counted * 3
}

const bytesEscaped = /(?:%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\[0-3][0-7]{2})+/gi
const unitsEscaped = /(?:%u|\\u)([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\(.)/gi
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Without the escapes of addresses, of JSON and other languages, and of HTML. */
function unescapeText(text: string): string {
  return text
    .replaceAll(bytesEscaped, run =>
      decodeText([...run.matchAll(/%(..)|\\x(..)|\\(\d{3})/gi)].map(([, ...codes]) => parseByte(codes))),
    )
    .replaceAll(unitsEscaped, (_, unit?: string, point?: string, letter: string = '') => {
      const code = unit ?? point
      return code === undefined ? (letters[letter] ?? letter) : decodeCharacter(Number.parseInt(code, 16))
    })
    .replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
      (whole: string, decimal?: string, hex: string = '', name?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole
        return decodeCharacter(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      },
    )
}

function parseByte([percent, hex, octal]: readonly (string | undefined)[]): number {
  return octal === undefined ? Number.parseInt(percent ?? hex ?? '', 16) : Number.parseInt(octal, 8)
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/(?:=[0-9a-f]{2})+/gi, run =>
      decodeText([...run.matchAll(/=(..)/g)].map(([, code = '']) => Number.parseInt(code, 16))),
    )
}

/** Bytes as UTF-8, or where they are none as Latin-1. */
function decodeText(bytes: readonly number[]): string {
  const all = Buffer.from(bytes)
  const text = all.toString()
  return text.includes('\ufffd') ? all.toString('latin1') : text
}

function decodeCharacter(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}
