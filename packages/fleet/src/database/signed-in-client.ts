import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'

export interface SignedInOptions extends pg.ClientConfig {
  /** Maximum time for which the server may say nothing while a query runs, in milliseconds. Default: none. */
  readonly maxSilenceMs?: number
}

/**
 * A connection that closes on every error. The driver leaves it open for errors it detects itself, such as a missing
 * password, and the process could not end until the server times out. Without TLS, it never sends the password in clear
 * text, because any machine could ask. A query that gets no byte for too long also closes it: after the failure of a
 * firewall, the two ends do not notice that they are separated.
 */
export class SignedInClient extends pg.Client {
  declare readonly readyForQuery: boolean

  constructor(config: SignedInOptions = {}) {
    super(config)
    const { connection } = this
    const { maxSilenceMs } = config
    if (maxSilenceMs !== undefined)
      connection.once('readyForQuery', () => {
        // Known only now: TLS replaces the socket.
        const stream = connection.stream as Socket
        stream.setTimeout(maxSilenceMs, () => this.readyForQuery || stream.destroy())
      })
    connection.on('error', () => connection.stream.destroy())
    // Before the driver reacts and writes to a closed connection.
    connection.on('authenticationCleartextPassword', () => {
      if ((connection.stream as Partial<TLSSocket>).encrypted === true) return
      connection.emit('error', new Error('the server asked for a clear-text password without SSL'))
    })
  }
}
