import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * On loopback, before a server: passes everything on, and cuts all connections once, at the given piece of what clients send.
 * Whoever comes afterwards is passed on again.
 */
export async function cutAfter(connection: string, pieces: number) {
  const { port, hostname } = new URL(connection)
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer(client => {
    const backend = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    backend.pipe(client)
    client.on('data', piece => {
      sent += 1
      if (sent === pieces) for (const socket of sockets) socket.destroy()
      else backend.write(piece)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(connection)
  through.port = String((server.address() as AddressInfo).port)
  return {
    connection: through.href,
    wasCut: () => sent >= pieces,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
