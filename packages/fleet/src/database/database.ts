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
  /** Where it is, as a person would name it: `postgres://host:port/name`, without user and password. */
  readonly where: string
  /** All of it happens or nothing. The client is for the engine, which may write beside us. */
  transaction<T>(work: (asking: Asking, client: pg.ClientBase) => Promise<T>): Promise<T>
  /** A connection beside the pool; an answer may take so long, in milliseconds. */
  line(patienceMs: number): Promise<Line>
  /** For the engine, which has tables of its own there. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** As a person sees it in `pg_stat_activity`. */
  readonly applicationName: string
  /** How many connections at most. */
  readonly most?: number
  /** How long an answer may take, in milliseconds: for who would rather say that there is none. Default: for ever. */
  readonly patienceMs?: number
}

/** Opens a database by its connection string; connects when it is first asked. Keeps no process alive. */
export function openDatabase(
  connection: string,
  { applicationName, most = 5, patienceMs }: DatabaseOptions,
): Database {
  const pool = new pg.Pool({
    Client: SignedInClient,
    connectionString: driverString(connection),
    application_name: applicationName,
    max: most,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(15_000, patienceMs ?? 15_000),
    ...(patienceMs !== undefined && { query_timeout: patienceMs }),
    async onConnect(client) {
      await refusePooler(client)
      await endWhenIdle(client)
    },
  })
  // A connection that breaks is no news: the next question on it fails, and the one after that makes another.
  pool.on('error', () => undefined)
  // The pool hears of those that nobody has; one that is in use would end the process.
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
          const asking: Asking = {
            rows: async (sql, values) => (await client.query(sql, values && [...values])).rows as Row[],
          }
          const result = await work(asking, client)
          await client.query('commit')
          return result
        } catch (error) {
          // Whatever state the connection is in, nobody uses it again.
          broken = new Error('a transaction failed')
          throw error
        } finally {
          client.release(broken)
        }
      }),
    line: patienceMs => within(() => openLine(connection, { applicationName, patienceMs })),
    close: () => pool.end(),
  }
}

/**
 * A process that stands still, or whose machine is gone, may be in the middle of a transaction, with locks that others wait
 * for: the server ends it after ten seconds without a question.
 */
async function endWhenIdle(client: pg.ClientBase): Promise<void> {
  await client.query('set idle_in_transaction_session_timeout = 10000')
}

/** Host, port and name; a connection string that is none is not repeated. */
function whereOf(connection: string): string {
  try {
    const { hostname, port, pathname } = new URL(connection)
    return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`
  } catch {
    return 'postgres'
  }
}
