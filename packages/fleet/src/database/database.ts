import pg from 'pg'
import { type QueryRunner, toDatabaseError } from './database-error.js'
import { type DedicatedConnection, openDedicatedConnection } from './dedicated-connection.js'
import { formatDriverString } from './driver-string.js'
import { rejectPooler } from './reject-pooler.js'
import { SignedInClient, type SignedInOptions } from './signed-in-client.js'
import { createTables } from './tables.js'

export { DatabaseError, type QueryRunner, type Row } from './database-error.js'

/** A database with our tables. */
export interface Database extends QueryRunner {
  /** The address for messages: `postgres://host:port/name`, without user and password. */
  readonly where: string
  /** Runs work in a transaction. The client is for the engine, which writes in the same transaction. */
  transaction<T>(work: (runner: QueryRunner, client: pg.ClientBase) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool, with a timeout for each query in milliseconds. */
  openConnection(queryTimeoutMs: number): Promise<DedicatedConnection>
  /** For the engine, which has its own tables in the same database. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The name shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** Maximum number of connections. */
  readonly maxConnections?: number
  /** Timeout for each query, in milliseconds. Default: none. */
  readonly queryTimeoutMs?: number
  /** Maximum silence of the server while a query runs. Default: a minute, longer than any submission blocks another. */
  readonly maxSilenceMs?: number
}

/** Opens a database by its connection string; connects at the first query. Keeps no process alive. */
export function openDatabase(
  connection: string,
  { applicationName, maxConnections = 5, queryTimeoutMs, maxSilenceMs = 60_000 }: DatabaseOptions,
): Database {
  const client: SignedInOptions = {
    connectionString: formatDriverString(connection),
    application_name: applicationName,
    maxSilenceMs,
  }
  const pool = new pg.Pool({
    ...client,
    Client: SignedInClient,
    max: maxConnections,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(15_000, queryTimeoutMs ?? 15_000),
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    async onConnect(client) {
      await rejectPooler(client)
      await limitIdleTransactions(client)
    },
  })
  // A broken connection needs no handling: the next query on it fails, and the one after that opens another.
  pool.on('error', () => undefined)
  // The pool handles errors of idle connections only; an error on one in use would end the process.
  pool.on('connect', client => client.on('error', () => undefined))
  let created: Promise<void> | undefined
  const ready = async () => {
    created ??= createTables(pool)
    try {
      await created
    } catch (error) {
      created = undefined
      throw error
    }
  }
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await ready()
      return await work()
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
  return {
    where: formatAddress(connection),
    pool,
    rows: (sql, values) => within(async () => (await pool.query(sql, values && [...values])).rows),
    transaction: work =>
      within(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query('begin')
          const runner: QueryRunner = {
            rows: async (sql, values) => (await client.query(sql, values && [...values])).rows,
          }
          const result = await work(runner, client)
          await client.query('commit')
          return result
        } catch (error) {
          // The connection is in an unknown state and must not be reused.
          broken = new Error('a transaction failed')
          throw error
        } finally {
          client.release(broken)
        }
      }),
    openConnection: queryTimeoutMs =>
      within(() => openDedicatedConnection(connection, { applicationName, queryTimeoutMs })),
    close: () => pool.end(),
  }
}

/**
 * A suspended process, or one whose machine is gone, may have an open transaction whose locks block others: the server ends
 * it after ten seconds without a query.
 */
async function limitIdleTransactions(client: pg.ClientBase): Promise<void> {
  await client.query('set idle_in_transaction_session_timeout = 10000')
}

/** Formats host, port and name; an invalid connection string is not repeated. */
function formatAddress(connection: string): string {
  try {
    const { hostname, port, pathname } = new URL(connection)
    return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`
  } catch {
    return 'postgres'
  }
}
