/** How a careless service may write what it repeats: each spelling with the text that comes of some bytes. */
export const spellings = {
  'as it came': body => body.toString(),
  'as JSON': body => JSON.stringify(body.toString()),
  'as JSON of JSON': body => JSON.stringify(JSON.stringify(body.toString())),
  'as JSON of bytes': body => JSON.stringify(body),
  'as HTML': body => html(body.toString()),
  'as HTML in decimal': body => each(body, code => `&#${code};`),
  'as HTML in hexadecimal': body => each(body, code => `&#x${code.toString(16)};`),
  'as an address': body => encodeURIComponent(body.toString()),
  'as an address, all of it': percent,
  'as an address of an address': body => encodeURIComponent(encodeURIComponent(body.toString())),
  'as an address of an address of an address': body =>
    encodeURIComponent(encodeURIComponent(encodeURIComponent(body.toString()))),
  'as an address, all of it twice': body => percent(Buffer.from(percent(body))),
  'as a form': body => `${new URLSearchParams({ body: body.toString() })}`,
  'as base64': body => body.toString('base64'),
  'as base64 of addresses': body => body.toString('base64url'),
  'as base64 of base64': body => twice(body, 'base64'),
  'as base64 of base64 of base64': body => Buffer.from(twice(body, 'base64')).toString('base64'),
  'as base64 in lines': body => body.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  'as base64 without its first letter': body => body.toString('base64').slice(1),
  'as base64 of an address': body => Buffer.from(encodeURIComponent(body.toString())).toString('base64'),
  'as base64 of UTF-16': body => utf16(body).toString('base64'),
  'as base64 of UTF-16 of the other order': body => utf16(body).swap16().toString('base64'),
  'as base64, backwards inside': body => Buffer.from(backwards(body.toString())).toString('base64'),
  'as hex': body => body.toString('hex'),
  'as hex in capitals': body => body.toString('hex').toUpperCase(),
  'as hex with spaces': body => body.toString('hex').replaceAll(/../g, '$& '),
  'as hex with colons': body => body.toString('hex').replaceAll(/..(?!$)/g, '$&:'),
  'as hex with 0x': body => body.toString('hex').replaceAll(/../g, '0x$&, '),
  'as hex of UTF-16': body => utf16(body).toString('hex'),
  'as escaped bytes': body => body.toString('hex').replaceAll(/../g, '\\x$&'),
  'as octal bytes': body => [...body].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  'as escaped units': body =>
    [...utf16(body).swap16().toString('hex').matchAll(/..../g)].map(([unit]) => `\\u${unit}`).join(''),
  'as escaped characters': body => each(body, code => `\\u{${code.toString(16)}}`),
  'as quoted-printable': body => body.toString('hex').toUpperCase().replaceAll(/../g, '=$&'),
  'the first half': body => body.toString('utf8', 0, body.length / 2),
  'the last half': body => body.toString('utf8', body.length / 2),
  backwards: body => backwards(body.toString()),
  'in capitals': body => body.toString().toUpperCase(),
  'in small letters': body => body.toString().toLowerCase(),
  'in other case': body =>
    body
      .toString()
      .replaceAll(/\p{L}/gu, one => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())),
  'in full width': body =>
    body.toString().replaceAll(/[!-~]/g, one => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  'in bold': body =>
    body.toString().replaceAll(/[a-z]/g, one => String.fromCodePoint(one.charCodeAt(0) - 0x61 + 0x1d41a)),
  'with accents': body => between(body, '\u0301'),
  'in parts of composed letters': body => body.toString().normalize('NFD'),
  spaced: body => between(body, ' '),
  'with dashes': body => between(body, '-'),
  'with commas': body => between(body, ', '),
  'with line breaks': body => between(body, '\n'),
  'with tabs': body => between(body, '\t'),
  'with spaces of no width': body => between(body, '\u200b'),
  'with soft hyphens': body => between(body, '\u00ad'),
  'with blank patterns': body => between(body, '\u2800'),
  'with colours': body => between(body, '\x1b[31m'),
  'with NUL': body => between(body, '\0'),
  'with backspaces': body => between(body, '\b'),
  'with direction marks': body => between(body, '\u202e'),
} as const satisfies Readonly<Record<string, (body: Buffer) => string>>

export type Spelling = keyof typeof spellings
export const spellingNames = Object.keys(spellings) as readonly Spelling[]

function html(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
}

function percent(body: Buffer): string {
  return body.toString('hex').replaceAll(/../g, '%$&')
}

function twice(body: Buffer, encoding: 'base64'): string {
  return Buffer.from(body.toString(encoding)).toString(encoding)
}

function utf16(body: Buffer): Buffer {
  return Buffer.from(body.toString(), 'utf16le')
}

function backwards(text: string): string {
  return [...text].reverse().join('')
}

function each(body: Buffer, write: (code: number) => string): string {
  return [...body.toString()].map(one => write(one.codePointAt(0) ?? 0)).join('')
}

function between(body: Buffer, separator: string): string {
  return [...body.toString()].join(separator)
}
