/** The encodings of a text, each with all its variants. */
export const encodings = {
  raw: text => [Buffer.from(text)],
  percent: text => {
    const escaped = encodeURIComponent(text)
    return both(
      escaped,
      escaped.replaceAll(/%../g, code => code.toLowerCase()),
    )
  },
  form: text => [Buffer.from(new URLSearchParams([['', text]]).toString().slice(1))],
  json: text => {
    const escaped = JSON.stringify(text).slice(1, -1)
    return both(
      escaped,
      asciiOnly(escaped),
      asciiOnly(escaped.replaceAll(/[<>&'/]/g, one => `\\u00${one.charCodeAt(0).toString(16)}`)),
      escaped.replaceAll('/', '\\/'),
      JSON.stringify(escaped).slice(1, -1),
    )
  },
  html: text => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const quoted = escaped.replaceAll('"', '&quot;')
    const named = [escaped, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;')]
    return both(
      ...named,
      numbered(text, code => `&#${code};`),
      numbered(text, code => `&#x${code.toString(16)};`),
    )
  },
  base64: text => alignments(text, 'base64'),
  base64url: text => alignments(text, 'base64url'),
  hex: text => both(Buffer.from(text).toString('hex'), Buffer.from(text).toString('hex').toUpperCase()),
  latin1: text => [Buffer.from(Buffer.from(text).toString('latin1'))],
  utf16: text => [Buffer.from(text, 'utf16le')],
} as const satisfies Readonly<Record<string, (text: string) => readonly Buffer[]>>

export type EncodingName = keyof typeof encodings
export const encodingNames = Object.keys(encodings) as readonly EncodingName[]

function both(...texts: readonly string[]): readonly Buffer[] {
  return texts.map(text => Buffer.from(text))
}

function numbered(text: string, write: (code: number) => string): string {
  return [...text].map(one => write(one.codePointAt(0) ?? 0)).join('')
}

function asciiOnly(text: string): string {
  return text.replaceAll(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Encodes at each of three alignments, without the characters that depend on the neighbouring bytes. */
function alignments(text: string, encoding: 'base64' | 'base64url'): readonly Buffer[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map(before => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replaceAll('=', '')
    const whole = Math.floor(((before + bytes.byteLength) * 8) / 6)
    return Buffer.from(shifted.slice(Math.ceil((before * 8) / 6), whole))
  })
}
