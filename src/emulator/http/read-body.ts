import type { ParsedBody, RequestPart, TextPart } from '../service/request.js'

/** The largest body that is parsed; the document shows no limit (Service §8), but memory is limited. */
export const bodyLimitBytes = 256 * 1024 * 1024

/** More parts than any operation accepts. Parsing a huge body of separators alone would block the process for minutes. */
const maxParts = 10_000

/**
 * Reads a body to its end, so that the client can always read the answer, but keeps no more than the limit; `undefined`
 * if the body is larger.
 */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  limitBytes = bodyLimitBytes,
): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of stream) {
    total += chunk.length
    if (total <= limitBytes) chunks.push(chunk)
    else chunks = []
  }
  return total <= limitBytes ? Buffer.concat(chunks) : undefined
}

/**
 * Parses bytes into parts with the parser of the platform, which shares no code with Landform's client. Never rejects:
 * an unreadable body is a value.
 */
export async function parseBody(contentType: string, bytes: Uint8Array | undefined): Promise<ParsedBody> {
  if (bytes === undefined) return buildUnreadableBody('The body is too large.')
  const encoding = encodings.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  // A form without parameters has no bytes; multipart form data has its closing line at least.
  if (bytes.length === 0) return { encoding: encoding === 'form' ? 'form' : 'none', parts: [] }
  if (encoding === undefined)
    return buildUnreadableBody('The body is neither form-encoded nor multipart form data.')
  const boundary = readBoundary(contentType)
  const separator = encoding === 'form' ? '&' : `\r\n--${boundary}`
  if (hasMore(bytes, separator, maxParts)) return buildUnreadableBody('The body has too many parameters.')
  const parts = await readFormParts(contentType, bytes)
  if (parts !== undefined) return { encoding, parts }
  if (encoding === 'multipart' && boundary === undefined)
    return buildUnreadableBody('The Content-Type names no boundary.')
  const plain = boundary === undefined ? undefined : normalizeMultipart(boundary, bytes)
  const again = plain === undefined ? undefined : await readFormParts(contentType, plain)
  return again === undefined
    ? buildUnreadableBody(
        'The body is malformed, or does not end with the boundary that its Content-Type names.',
      )
    : { encoding, parts: again }
}

async function readFormParts(
  contentType: string,
  bytes: Uint8Array,
): Promise<readonly RequestPart[] | undefined> {
  try {
    const headers = { 'content-type': contentType }
    const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body: bytes })
    return await toParts(await request.formData())
  } catch {
    return undefined
  }
}

/** Parses the parameters of an address. */
export function parseQuery(query: string): readonly TextPart[] {
  return [...new URLSearchParams(query)].map(([name, text]) => ({ kind: 'text', name, text }))
}

const encodings: ReadonlyMap<string, 'form' | 'multipart'> = new Map([
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data', 'multipart'],
])

/** True if a text occurs in the bytes more than `max` times; stops searching there. */
function hasMore(bytes: Uint8Array, text: string, max: number): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(text); at !== -1; at = buffer.indexOf(text, at + text.length))
    if (++count > max) return true
  return false
}

function buildUnreadableBody(problem: string): ParsedBody {
  return { encoding: 'unreadable', parts: [], problem }
}

async function toParts(form: FormData): Promise<readonly RequestPart[]> {
  const parts: RequestPart[] = []
  for (const [name, value] of form) {
    // This part is no parameter: it names the encoding of the others. RFC 7578 §4.6.
    if (name === '_charset_') continue
    if (typeof value === 'string') parts.push({ kind: 'text', name, text: value })
    else {
      const bytes = new Uint8Array(await value.arrayBuffer())
      parts.push({ kind: 'file', name, fileName: value.name, contentType: value.type, bytes })
    }
  }
  return parts
}

const lineEnd = '\r\n'

/** Reads the boundary from a Content-Type. RFC 2046 §5.1.1. */
function readBoundary(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/**
 * Rewrites a valid body for the parser of the platform. That parser rejects text before the first boundary or after the
 * last, space after a boundary (RFC 2046 §5.1.1), names without quotes or in the extended form (RFC 2231), and words in
 * other capitals (RFC 2183 §2). Does not change contents. Returns `undefined` if the body is not multipart.
 */
function normalizeMultipart(boundary: string, bytes: Uint8Array): Uint8Array | undefined {
  const delimiter = `${lineEnd}--${boundary}`
  // The body may begin with the first boundary.
  const body = Buffer.concat([Buffer.from(lineEnd), bytes])
  const parts: Uint8Array[] = []
  for (let at = body.indexOf(delimiter); at >= 0; ) {
    const behind = at + delimiter.length
    if (body.toString('latin1', behind, behind + 2) === '--')
      return Buffer.concat([...parts, Buffer.from(`--${boundary}--${lineEnd}`)])
    const head = body.indexOf(lineEnd, behind)
    const content = body.indexOf(lineEnd + lineEnd, head) + 2 * lineEnd.length
    const next = body.indexOf(delimiter, content)
    const isPart =
      head >= 0 && content > head && next >= content && !/\S/.test(body.toString('latin1', behind, head))
    if (!isPart) return undefined
    const headers = normalizeHeaders(body.toString('latin1', head, content))
    parts.push(
      Buffer.from(`--${boundary}${headers}`, 'latin1'),
      body.subarray(content, next + lineEnd.length),
    )
    at = next
  }
  return undefined
}

function normalizeHeaders(headers: string): string {
  return headers.replace(/^content-disposition:\s*form-data\s*(;.*)$/im, (_line, rest: string) => {
    const parameters = new Map<string, string>()
    for (const [, name = '', quoted, plain = ''] of rest.matchAll(
      /;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g,
    ))
      parameters.set(name.toLowerCase(), quoted ?? plain)
    const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1]
    const fileName = extended === undefined ? parameters.get('filename') : decodePercent(extended)
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return `Content-Disposition: form-data; name="${parameters.get('name') ?? ''}"${file}`
  })
}

/** Decodes percent-encoded text, one character for each byte; bytes that would end a quoted text stay encoded. */
function decodePercent(text: string): string {
  return text.replaceAll(/%(?!22|0[ad])([\da-f]{2})/gi, (_code, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
