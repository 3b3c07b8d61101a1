import { setTimeout as delay } from 'node:timers/promises'
import { DBOS, type DLogger, Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { advisoryLocks, type Database } from '../database/database.js'
import { DatabaseError, type QueryRunner, toDatabaseError } from '../database/database-error.js'

/** The name of our application in the engine. */
export const application = 'landform'

/** The queue of the engine. */
export const sitesQueue = 'sites'

/** Formats the address that the engine parses and shows in messages; it has no password, since connections are those of the pool. */
export const engineAddress = ({ where }: Database) => where.replace('://', '://landform@')

/** Receives messages of the engine; they hold texts of the engine and of PostgreSQL, none of a site. */
export type EngineLog = (level: 'warn' | 'error', message: string) => unknown

/** Creates the logger of the engine, without informational messages and stack traces: of an error only the message counts. */
export function createEngineLogger(log: EngineLog): DLogger {
  const quiet = () => undefined
  const line = (entry: unknown) => String(entry).split('\n', 1)[0] ?? ''
  return {
    info: quiet,
    debug: quiet,
    // Two workers polled at the same time, and one of them retries: that is expected.
    warn: entry => (/contention/i.test(line(entry)) ? undefined : log('warn', line(entry))),
    error: entry => log('error', line(entry)),
  }
}

/**
 * Runs an operation of the engine and converts its errors. The engine uses the pool itself, so it passes on errors of the
 * driver, possibly wrapped; a failed start is an error of the database.
 */
export async function withEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EngineErrors.DBOSInitializationError)) throw toDatabaseError(error)
    const cause = toDatabaseError(error.error ?? error)
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError('the engine cannot start with this database', '08006')
  }
}

/** The lock of the process that creates the tables of the engine. */
const pollMs = 200

/**
 * Starts the engine, which creates its tables if there are none. The engine cannot do that in two processes at once, and
 * one of its statements waits for every other open one: so a process that waits for the first one only polls now and then,
 * outside of any statement.
 */
export async function launchExclusively(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    // A process whose machine is gone keeps the lock for a minute.
    await client.query(`set idle_session_timeout = '1min'`)
    for (;;) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [advisoryLocks.launch])
      if ((rows[0] as { readonly taken: boolean }).taken) break
      await delay(pollMs)
    }
    await DBOS.launch()
  } finally {
    client.release(true)
  }
}

/** Returns true once a worker has created the tables of the engine. */
export async function hasEngineTables({ rows }: QueryRunner): Promise<boolean> {
  const [row] = await rows(`select to_regclass('dbos.queues') is not null as there`)
  return row?.['there'] === true
}
