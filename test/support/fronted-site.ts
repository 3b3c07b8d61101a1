import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'

/** What stands before a site and sees where each request goes, and what its headers say. */
export interface Front {
  readonly url: string
  readonly port: number
  /** Lines of requests and headers; that of the token, which belongs there, is left out. */
  readonly heads: readonly string[]
  close(): Promise<void>
}

/** Hands every request on to a site, with TLS before it where options for that are given. */
export async function frontOf(site: string, tls?: TlsOptions): Promise<Front> {
  const target = new URL(site)
  const heads: string[] = []
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url, headers } = incoming
    const { authorization: _, ...shown } = headers
    heads.push(`${method} ${url} ${JSON.stringify(shown)}`)
    const { hostname, port } = target
    // A site checks that it is asked under its own name.
    const options = { hostname, port, path: url, method, headers: { ...headers, host: target.host } }
    const behind = request(options, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    behind.on('error', () => outgoing.destroy())
    incoming.pipe(behind)
  }
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${target.pathname}`,
    port,
    heads,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
