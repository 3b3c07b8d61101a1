import pg from 'pg'

/**
 * A connection that ends with what goes wrong on it. The driver leaves it open where it finds out by itself, such as that
 * there is no password, and the process could not end until the server loses its patience.
 */
export class SignedInClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this
    connection.on('error', () => connection.stream.destroy())
  }
}
