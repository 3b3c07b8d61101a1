import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'

/**
 * Starts a proxy on loopback in front of a PostgreSQL server. It reports another server process to each client than the one
 * that serves it, as connection poolers do.
 */
export async function pooler(connection: string) {
  const { port, hostname } = new URL(connection)
  const server = createServer(client => {
    const backend = connect(Number(port), hostname)
    client.on('error', () => client.destroy()).on('close', () => backend.destroy())
    backend.on('error', () => backend.destroy()).on('close', () => client.destroy())
    client.pipe(backend)
    let rest = Buffer.alloc(0)
    // A message is a letter, its length without the letter, and the content.
    const next = () => (rest.length < 5 ? Number.POSITIVE_INFINITY : 1 + rest.readInt32BE(1))
    backend.on('data', bytes => {
      rest = Buffer.concat([rest, bytes])
      for (let length = next(); length <= rest.length; length = next()) {
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (message.toString('latin1', 0, 1) === 'K') message.writeInt32BE(message.readInt32BE(5) + 1, 5)
        client.write(message)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(connection)
  through.port = String((server.address() as AddressInfo).port)
  return {
    connection: through.href,
    /** Waits until every client has disconnected. */
    close: () => new Promise(resolve => server.close(resolve)),
  }
}
