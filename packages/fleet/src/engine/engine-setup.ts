import { setTimeout as delay } from 'node:timers/promises'
import { type DLogger, Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database'
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs'
import { advisoryLocks, type Database } from '../database/database.js'
import { DatabaseError, toDatabaseError } from '../database/database-error.js'

/** Formats the address that the engine parses and shows in messages. It has no password, because the engine uses the pool. */
export const engineAddress = ({ where }: Database) => where.replace('://', '://landform@')

const quiet = () => undefined

/**
 * Discards the messages of the engine, which may name the user of the database. A broken queue is also noticed when it is
 * compared with the runs.
 */
export const engineLogger: DLogger = { info: quiet, debug: quiet, warn: quiet, error: quiet }

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
 * Creates the tables of the engine if there are none. Two processes cannot do this at once, so the others wait for a lock.
 * They poll for it, outside of any transaction, because one of the engine's statements waits for every open one.
 */
export async function createEngineTables(database: Database): Promise<void> {
  const { pool } = database
  const client = await pool.connect()
  try {
    // If the machine of a process is gone, its lock is released after a minute.
    await client.query(`set idle_session_timeout = '1min'`)
    for (;;) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [advisoryLocks.launch])
      if ((rows[0] as { readonly taken: boolean }).taken) break
      await delay(pollMs)
    }
    const logger = new GlobalLogger(undefined, { logger: engineLogger })
    await ensureSystemDatabase(engineAddress(database), logger, pool, 'dbos', false)
  } finally {
    client.release(true)
  }
}
