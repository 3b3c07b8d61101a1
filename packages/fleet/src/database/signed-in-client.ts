import type { TLSSocket } from 'node:tls'
import pg from 'pg'

/**
 * A connection that ends with what goes wrong on it. The driver leaves it open where it finds out by itself, such as that
 * there is no password, and the process could not end until the server loses its patience. A server that asks for the password
 * in clear gets none over a connection without TLS, for anybody could ask.
 */
export class SignedInClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this
    connection.on('error', () => connection.stream.destroy())
    // Before the driver hears of it, which then writes to a connection that is gone.
    connection.on('authenticationCleartextPassword', () => {
      if ((connection.stream as Partial<TLSSocket>).encrypted === true) return
      connection.emit('error', new Error('the server wants the password in clear, without SSL'))
    })
  }
}
