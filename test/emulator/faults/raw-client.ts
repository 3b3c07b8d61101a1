import { once } from 'node:events'
import { connect } from 'node:net'

/** The bytes received on one connection, and how it ended. */
interface RawReply {
  readonly text: string
  readonly end: 'closed' | 'reset' | 'open'
}

/** Sends raw bytes. With `until` it stops reading at the first match, with the end `open`. */
export async function rawRequest(url: string, request: string, until?: RegExp): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  let text = ''
  let end: RawReply['end'] = 'closed'
  const closed = once(socket, 'close').catch(() => undefined)
  const enough = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      text += chunk
      if (until?.test(text) === true) {
        end = 'open'
        resolve()
      }
    })
  })
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNRESET') end = 'reset'
  })
  socket.write(request)
  await Promise.race([closed, enough])
  socket.destroy()
  return { text, end }
}

/** Returns a GET request for the root resource. */
export function rawGet(url: string): string {
  const { host, pathname } = new URL(url)
  return `GET ${pathname}?f=json HTTP/1.1\r\nHost: ${host}\r\n\r\n`
}

/** Returns a POST request with a form, for a path below the base URL. */
export function rawPost(url: string, path: string, form: Readonly<Record<string, string>>): string {
  const { host, pathname } = new URL(url)
  const body = String(new URLSearchParams(form))
  return [
    `POST ${pathname}${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Splits a response into status line, headers with lower-case names, and body. */
export function parts(text: string) {
  const at = text.indexOf('\r\n\r\n')
  const [status = '', ...lines] = text.slice(0, at).split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { status, headers, body: text.slice(at + 4) }
}
