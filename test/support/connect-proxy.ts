import { connect } from 'node:net'
import { type RawServer, startRawServer } from './raw-server.js'

/**
 * A proxy on loopback that answers CONNECT: with 200 and a way to the port, wherever the request wanted to go, or with
 * the answer it is given; with 403 to a client without a name. `received` is what came, with the CONNECT first.
 */
export function connectProxy(
  answer: { readonly toPort: number } | { readonly text: string },
): Promise<RawServer> {
  const begun = new WeakSet<object>()
  return startRawServer((socket, received) => {
    if (begun.has(socket) || !received.includes('\r\n\r\n')) return
    begun.add(socket)
    if (!/^user-agent: landform\//im.test(received)) {
      socket.end('HTTP/1.1 403 No\r\n\r\n')
      return
    }
    if ('text' in answer) {
      socket.end(answer.text)
      return
    }
    const site = connect(answer.toPort, '127.0.0.1')
    site.on('error', () => socket.destroy())
    socket.once('close', () => site.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(site).pipe(socket)
  })
}
