import { connect } from 'node:net'
import { startRawServer } from '../../support/raw-server.js'

/** What takes connections in place of a site, and where each of them led. */
export interface Door {
  readonly port: number
  /** Every byte that came to it, one text a connection. */
  readonly received: readonly string[]
}

/** Opens a door on loopback: `portOf` says where the connection of this number, from 0, leads. */
export async function aDoor(portOf: (connection: number) => number): Promise<Door> {
  let connections = 0
  return startRawServer(() => undefined, {
    opened(socket) {
      const way = connect(portOf(connections), '127.0.0.1')
      connections += 1
      way.on('error', () => socket.destroy())
      socket.once('close', () => way.destroy())
      way.pipe(socket)
      socket.pipe(way)
    },
  })
}
