import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens connections that send one byte of a request and then nothing; some may be closed by the server at once. */
export function slowConnections(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      socket.write('G')
      return socket
    }),
  )
}
