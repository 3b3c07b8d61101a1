const lineEnd = '\r\n'

/** Reads the boundary from a Content-Type. RFC 2046 §5.1.1. */
export function readBoundary(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/**
 * Rewrites a legal body for the parser of the platform, which rejects text before the first boundary or after the last,
 * space after one (RFC 2046 §5.1.1), and names without quotes or in the extended form (RFC 2231). Does not change contents.
 * Returns `undefined` if the body is not multipart.
 */
export function normalizeMultipart(boundary: string, bytes: Uint8Array): Uint8Array | undefined {
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
  return headers.replace(
    /^(content-disposition:\s*form-data)(;.*)$/im,
    (_line, start: string, rest: string) => {
      const parameters = new Map<string, string>()
      for (const [, name = '', quoted, plain = ''] of rest.matchAll(
        /;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g,
      ))
        parameters.set(name.toLowerCase(), quoted ?? plain)
      const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1]
      const fileName = extended === undefined ? parameters.get('filename') : decodePercent(extended)
      const file = fileName === undefined ? '' : `; filename="${fileName}"`
      return `${start}; name="${parameters.get('name') ?? ''}"${file}`
    },
  )
}

/** Decodes percent-encoded text, one character for each byte; bytes that would end a quoted text stay encoded. */
function decodePercent(text: string): string {
  return text.replaceAll(/%(?!22|0[ad])([\da-f]{2})/gi, (_code, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
