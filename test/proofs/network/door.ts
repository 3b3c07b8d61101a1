import { connect } from 'node:net'
import { startRawServer } from '../../support/raw-server.js'

/** A server that takes connections instead of a site, and forwards them. */
export interface Door {
  readonly port: number
  /** The bytes that it got, one text per connection. */
  readonly received: readonly string[]
}

/** Opens a door on loopback; `portOf` selects the target of each connection, numbered from 0. */
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
