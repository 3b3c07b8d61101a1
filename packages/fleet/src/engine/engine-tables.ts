import { setTimeout as delay } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { advisoryLocks } from '../database/advisory-locks.js'
import type { QueryRunner } from '../database/database-error.js'

/**
 * Starts the engine, which creates its tables if there are none. The engine cannot do that in two processes at once, and
 * one of its statements waits for every other open one: so a process that waits for the first one only polls now and then,
 * outside of any statement.
 */
export async function launchExclusively(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    while (!(await tryLaunchLock(client))) await delay(200)
    await DBOS.launch()
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.launch])
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function tryLaunchLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [advisoryLocks.launch])
  return (rows[0] as { readonly taken: boolean }).taken
}

/** Returns true if the tables of the engine exist, and no process is about to create or change them. */
export async function hasEngineTables({ rows }: QueryRunner): Promise<boolean> {
  for (;;) {
    const [row] = await rows(
      `select to_regclass('dbos.queues') is not null as there, pg_try_advisory_xact_lock_shared($1) as quiet`,
      [advisoryLocks.launch],
    )
    if (row?.['quiet'] === true) return row['there'] === true
    await delay(200)
  }
}
