/** Encodings in which a service may repeat received bytes. */
export const spellings = {
  'as it came': body => body.toString(),
  'as JSON': body => JSON.stringify(body.toString()),
  'as JSON in ASCII': body => inAscii(JSON.stringify(body.toString())),
  'as JSON of JSON': body => JSON.stringify(JSON.stringify(body.toString())),
  'as an address': body => encodeURIComponent(body.toString()),
  'as an address, byte by byte': body => body.toString('hex').replaceAll(/../g, '%$&'),
  'as a form': form,
  'as HTML': body => html(body.toString()),
  'as HTML in decimal': body => each(body, code => `&#${code};`),
  'as HTML in hexadecimal': body => each(body, code => `&#x${code.toString(16)};`),
  'as base64': body => body.toString('base64'),
  'as base64 of addresses': body => body.toString('base64url'),
  'as base64 in lines': body => body.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  'as base64 of a form': body => Buffer.from(form(body)).toString('base64'),
  'as hex': body => body.toString('hex'),
  'as hex in capitals': body => body.toString('hex').toUpperCase(),
  'as Latin-1': body => body.toString('latin1'),
} as const satisfies Readonly<Record<string, (body: Buffer) => string>>

export type Spelling = keyof typeof spellings
export const spellingNames = Object.keys(spellings) as readonly Spelling[]

function form(body: Buffer): string {
  return `${new URLSearchParams({ body: body.toString() })}`
}

function inAscii(text: string): string {
  return text.replaceAll(/[^ -~]|[<>&'/]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function html(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
}

function each(body: Buffer, write: (code: number) => string): string {
  return [...body.toString()].map(one => write(one.codePointAt(0) ?? 0)).join('')
}
