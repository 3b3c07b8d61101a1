import type { Socket } from 'node:net'
import { isUnreachable, type QueryRunner, toDatabaseError } from './database-error.js'
import { formatDriverString } from './driver-string.js'
import { rejectPooler } from './reject-pooler.js'
import { SignedInClient } from './signed-in-client.js'

/** A dedicated connection, for locks and listeners that end with it. It keeps no process alive while it is idle. */
export interface DedicatedConnection extends QueryRunner {
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>
  /** Closes it immediately. */
  close(): void
}

interface DedicatedConnectionOptions {
  readonly applicationName: string
  /** Timeout for each query, in milliseconds; a connection that is silent for longer is closed. */
  readonly queryTimeoutMs: number
}

/** Opens a connection. Rejects with a `DatabaseError` only. */
export async function openDedicatedConnection(
  connection: string,
  { applicationName, queryTimeoutMs }: DedicatedConnectionOptions,
): Promise<DedicatedConnection> {
  const client = new SignedInClient({
    connectionString: formatDriverString(connection),
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
  })
  const socket = client.connection.stream as Socket
  const closed = new Promise<void>(resolve => client.once('end', () => resolve()))
  client.on('error', () => socket.destroy())
  let underWay = 0
  const runQuery = async <T>(ask: () => Promise<T>): Promise<T> => {
    underWay += 1
    socket.ref()
    try {
      return await ask()
    } catch (error) {
      const failure = toDatabaseError(error)
      if (isUnreachable(failure)) socket.destroy()
      throw failure
    } finally {
      underWay -= 1
      if (underWay === 0) socket.unref()
    }
  }
  try {
    await runQuery(() => client.connect())
    await runQuery(() => rejectPooler(client))
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    closed,
    rows: (sql, values) => runQuery(async () => (await client.query(sql, values && [...values])).rows),
    close: () => socket.destroy(),
  }
}
