import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The end of a connection: after a number of bytes of the request or of the response, by FIN or RST. */
export interface Cut {
  readonly of: 'request' | 'answer'
  readonly afterBytes: number
  readonly how: 'FIN' | 'RST'
}

/** The method of the first request that is counted and cut. */
type Method = 'GET' | 'POST'

export const uncut: Cut = { of: 'answer', afterBytes: Number.POSITIVE_INFINITY, how: 'FIN' }

/** Starts a relay to a site, which ends each connection at a byte. The site gets only the bytes before the cut. */
export async function cuttingRelay(port: number) {
  let cut = uncut
  let begins: Method = 'GET'
  let isCounted = false
  let seen = { request: 0, answer: 0, connections: 0 }
  const sockets = new Set<Socket>()
  const end = (socket: Socket) => (cut.how === 'RST' ? socket.resetAndDestroy() : socket.end())

  /** Forwards bytes up to the cut, and returns false once it is reached. */
  const pass = (from: Cut['of'], chunk: Buffer, to: Socket): boolean => {
    if (!isCounted) return to.write(chunk) || true
    const left = cut.of === from ? cut.afterBytes - seen[from] : Number.POSITIVE_INFINITY
    seen = { ...seen, [from]: seen[from] + chunk.byteLength }
    if (left > 0) to.write(chunk.subarray(0, left))
    return chunk.byteLength < left
  }
  /** Replaces the `host` header, which the site checks. */
  const underItsName = (chunk: Buffer) => {
    const { port: own } = server.address() as AddressInfo
    return Buffer.from(
      chunk.toString('latin1').replace(`\r\nhost: 127.0.0.1:${own}\r\n`, `\r\nhost: 127.0.0.1:${port}\r\n`),
      'latin1',
    )
  }
  const server = createServer(client => {
    seen = { ...seen, connections: seen.connections + 1 }
    const site = connect(port, '127.0.0.1')
    for (const socket of [client, site]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
    }
    client.on('data', chunk => {
      isCounted ||= chunk.toString('latin1', 0, begins.length) === begins
      if (pass('request', underItsName(chunk), site)) return
      client.removeAllListeners('data')
      end(site)
      end(client)
    })
    site.on('data', chunk => {
      if (pass('answer', chunk, client)) return
      site.removeAllListeners('data').destroy()
      end(client)
    })
    site.once('close', () => client.end())
    client.once('close', () => site.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** The counts since the last `set`. */
    seen: () => seen,
    set(next: Cut, method: Method) {
      cut = next
      begins = method
      isCounted = false
      seen = { request: 0, answer: 0, connections: 0 }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
