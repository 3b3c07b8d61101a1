import pg from 'pg'
import { type Asking, databaseError, type Row } from './database-error.js'
import { driverString } from './driver-string.js'
import { type Line, openLine } from './line.js'
import { type Migrated, migrate } from './migrate.js'
import { refusePooler } from './refuse-pooler.js'
import { SignedInClient } from './signed-in-client.js'

export { type Asking, DatabaseError, type Row } from './database-error.js'

/** A database with our tables. */
export interface Database extends Asking {
  /** The address for messages: `postgres://host:port/name`, without user and password. */
  readonly where: string
  /** Runs work in a transaction. The client is for the engine, which writes in the same transaction. */
  transaction<T>(work: (runner: Asking, client: pg.ClientBase) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool, with a timeout for each query in milliseconds. */
  line(queryTimeoutMs: number): Promise<Line>
  /** For the engine, which has its own tables in the same database. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The name shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** Maximum number of connections. */
  readonly most?: number
  /** Timeout for each query, in milliseconds. Default: none. */
  readonly patienceMs?: number
}

/** Opens a database by its connection string; connects at the first query. Keeps no process alive. */
export function openDatabase(
  connection: string,
  { applicationName, most: maxConnections = 5, patienceMs: queryTimeoutMs }: DatabaseOptions,
): Database {
  const pool = new pg.Pool({
    Client: SignedInClient,
    connectionString: driverString(connection),
    application_name: applicationName,
    max: maxConnections,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(15_000, queryTimeoutMs ?? 15_000),
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    async onConnect(client) {
      await refusePooler(client)
      await endWhenIdle(client)
    },
  })
  // A broken connection needs no handling: the next query on it fails, and the one after that opens another.
  pool.on('error', () => undefined)
  // The pool handles errors of idle connections only; an error on one in use would end the process.
  pool.on('connect', client => client.on('error', () => undefined))
  let migrated: Promise<Migrated> | undefined
  const ready = async () => {
    migrated ??= migrate(pool)
    try {
      await migrated
    } catch (error) {
      migrated = undefined
      throw error
    }
  }
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await ready()
      return await work()
    } catch (error) {
      throw databaseError(error)
    }
  }
  return {
    where: whereOf(connection),
    pool,
    rows: (sql, values) => within(async () => (await pool.query(sql, values && [...values])).rows as Row[]),
    transaction: work =>
      within(async () => {
        const client = await pool.connect()
        let broken: Error | undefined
        try {
          await client.query('begin')
          const runner: Asking = {
            rows: async (sql, values) => (await client.query(sql, values && [...values])).rows as Row[],
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
    line: queryTimeoutMs =>
      within(() => openLine(connection, { applicationName, patienceMs: queryTimeoutMs })),
    close: () => pool.end(),
  }
}

/**
 * A suspended process, or one whose machine is gone, may have an open transaction whose locks block others: the server ends
 * it after ten seconds without a query.
 */
async function endWhenIdle(client: pg.ClientBase): Promise<void> {
  await client.query('set idle_in_transaction_session_timeout = 10000')
}

/** Formats host, port and name; an invalid connection string is not repeated. */
function whereOf(connection: string): string {
  try {
    const { hostname, port, pathname } = new URL(connection)
    return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`
  } catch {
    return 'postgres'
  }
}
