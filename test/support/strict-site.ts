import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A stand-in for a site that nobody may change: it lets a GET without a body through to `site`, and nothing else. */
export interface StrictSite {
  readonly url: string
  /** The request lines that went through, the oldest first. */
  readonly looks: readonly string[]
  /** What else was tried, by its first bytes; none of it reached the site. */
  readonly offences: readonly string[]
  /** From now on it stands before another site, which has the same path, and has seen nothing yet. */
  turnTo(site: string): void
  close(): Promise<void>
}

/** Reads bytes, not HTTP, so that nothing slips by: a connection carries heads that begin with GET, and no more. */
export async function strictSite(site: string): Promise<StrictSite> {
  let target = new URL(site)
  const looks: string[] = []
  const offences: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    let head = ''
    let behind: Socket | undefined
    const refuse = (bytes: string) => {
      offences.push(bytes.slice(0, 200))
      behind?.destroy()
      client.end('HTTP/1.1 405 X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    }
    sockets.add(client)
    client.on('error', () => undefined)
    client.on('close', () => {
      behind?.destroy()
      sockets.delete(client)
    })
    client.on('data', chunk => {
      head += chunk.toString('latin1')
      if (
        !'GET '.startsWith(head.slice(0, 4)) ||
        /^(?:content-length: *[^0\s]|transfer-encoding:)/im.test(head)
      )
        return refuse(head)
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      // A body, or a request that did not wait for an answer.
      if (end + 4 < head.length) return refuse(head)
      looks.push(head.slice(0, head.indexOf('\r\n')))
      behind ??= connectedBehind()
      // The site checks that it is asked under its own name.
      behind.write(head.replace(/^host: .*$/im, `host: ${target.host}`), 'latin1')
      head = ''
    })
    const connectedBehind = () => {
      const socket = connect(Number(target.port), target.hostname)
      sockets.add(socket)
      socket.on('error', () => client.destroy())
      socket.on('close', () => client.destroy())
      socket.pipe(client)
      return socket
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    looks,
    offences,
    turnTo(other) {
      target = new URL(other)
      looks.length = 0
      offences.length = 0
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
