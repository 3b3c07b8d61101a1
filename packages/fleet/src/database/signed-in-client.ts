import type { TLSSocket } from 'node:tls'
import pg from 'pg'

/**
 * A connection that closes on every error. The driver leaves it open for errors it detects itself, such as a missing
 * password, and the process could not end until the server times out. A server that asks for the password in clear text
 * gets none without TLS, because any machine could ask.
 */
export class SignedInClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this
    connection.on('error', () => connection.stream.destroy())
    // Before the driver reacts and writes to a closed connection.
    connection.on('authenticationCleartextPassword', () => {
      if ((connection.stream as Partial<TLSSocket>).encrypted === true) return
      connection.emit('error', new Error('the server asked for a clear-text password without SSL'))
    })
  }
}
