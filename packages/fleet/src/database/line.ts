import type { Socket } from 'node:net'
import { type Asking, databaseError, isAway } from './database-error.js'
import { driverString } from './driver-string.js'
import { refusePooler } from './refuse-pooler.js'
import { SignedInClient } from './signed-in-client.js'

/** A dedicated connection, for what must last exactly as long as it does. Keeps no process alive while it is idle. */
export interface Line extends Asking {
  /** Resolves when the connection is closed, by either side. */
  readonly gone: Promise<void>
  /** Closes it immediately. */
  close(): void
}

interface LineOptions {
  readonly applicationName: string
  /** Timeout for each query, in milliseconds; a connection that is silent for longer is closed. */
  readonly patienceMs: number
}

/** Opens a connection. Rejects with a `DatabaseError` only. */
export async function openLine(
  connection: string,
  { applicationName, patienceMs: queryTimeoutMs }: LineOptions,
): Promise<Line> {
  const client = new SignedInClient({
    connectionString: driverString(connection),
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
  })
  const socket = client.connection.stream as Socket
  const closed = new Promise<void>(resolve => client.once('end', () => resolve()))
  client.on('error', () => socket.destroy())
  let underWay = 0
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    underWay += 1
    socket.ref()
    try {
      return await ask()
    } catch (error) {
      const failure = databaseError(error)
      if (isAway(failure)) socket.destroy()
      throw failure
    } finally {
      underWay -= 1
      if (underWay === 0) socket.unref()
    }
  }
  try {
    await asked(() => client.connect())
    await asked(() => refusePooler(client))
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    gone: closed,
    rows: (sql, values) => asked(async () => (await client.query(sql, values && [...values])).rows),
    close: () => socket.destroy(),
  }
}
