import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ListenAddress } from '../model/listen-address.js'

/** A response to a request. */
export interface Reply {
  readonly status?: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The handler of each path, which must not change anything. */
export type Routes = Readonly<Record<string, (headers: IncomingHttpHeaders) => Reply | Promise<Reply>>>

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>

/** Everything is loaded from this server, nothing is inline, and no text becomes markup. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Creates an error response in the format of the service. */
export function replyError(code: number, message: string, more: Reply['headers'] = {}): Reply {
  const body = JSON.stringify({ error: { code, message, details: null } })
  return { status: code, type: 'application/json', body, headers: more }
}

/** Serves routes over HTTP/1.1 to GET and HEAD. Rejects with the system error if it cannot listen on the address. */
export async function startHttpServer(routes: Routes, { host, port }: ListenAddress) {
  const server = createServer(async (request, response) => {
    // The details of a bug are not sent.
    const reply = await answer(request, routes).catch(() =>
      replyError(500, 'Internal error: this is a defect of Landform, please report it.'),
    )
    send(reply, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    // Stays after the start, because an error on one connection must not end the others.
    server.on('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer({ method, url = '', headers: asked }: IncomingMessage, routes: Routes): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD')
    return replyError(405, 'This server is read-only: use GET.', { allow: 'GET, HEAD' })
  const [path = ''] = url.split('?')
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (route === undefined) return replyError(404, `Not found. Available: ${Object.keys(routes).join(', ')}.`)
  return route(asked)
}

/** Node.js omits the body if the method or the status does not allow one. */
function send(reply: Reply, request: IncomingMessage, to: ServerResponse) {
  const { status = 200, type, body, headers: more } = reply
  const isLong = body.length > 1400 && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const bytes = isLong ? gzipSync(body) : Buffer.from(body)
  const content = { 'content-type': type, 'content-length': bytes.length }
  to.writeHead(status, { ...headers, ...content, ...(isLong && { 'content-encoding': 'gzip' }), ...more })
  to.end(bytes)
}
