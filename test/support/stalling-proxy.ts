import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** On loopback, before a PostgreSQL: passes everything on, until it falls silent without closing anything. */
interface StallingProxy {
  /** The connection string by which it is asked. */
  readonly connection: string
  /** Passes nothing more on over what is open, in either direction; new connections are not touched. */
  freeze(): void
  /** Answers nobody any more, new connections neither. */
  swallow(): void
  /** How many connections it has frozen. */
  frozen(): number
  close(): Promise<void>
}

/** As when a machine between two others loses its memory of their connections: neither side hears of it. */
export async function stallingProxy(connection: string): Promise<StallingProxy> {
  const { port, hostname } = new URL(connection)
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  let isSwallowing = false
  const server = createServer(client => {
    open.add(client)
    client.on('error', () => client.destroy()).on('close', () => open.delete(client))
    if (isSwallowing) return void client.resume()
    const backend = connect(Number(port), hostname)
    open.add(backend)
    backend.on('error', () => backend.destroy()).on('close', () => open.delete(backend))
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      one.on('data', piece => silent.has(one) || other.write(piece))
      // The other side of a frozen connection is not told of its end either.
      one.on('close', () => silent.has(one) || other.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(connection)
  through.port = String((server.address() as AddressInfo).port)
  const freeze = () => {
    for (const socket of open) silent.add(socket)
  }
  return {
    connection: through.href,
    freeze,
    swallow() {
      isSwallowing = true
      freeze()
    },
    frozen: () => silent.size / 2,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
