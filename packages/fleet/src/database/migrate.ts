import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.js'
import { migrations, schema } from './tables.js'

export interface MigrationResult {
  readonly version: number
}

/**
 * Brings the tables to the version of this program. It writes nothing if they are up to date, so a role that may not create
 * tables can use those that another role created.
 */
export async function migrate(pool: pg.Pool): Promise<MigrationResult> {
  const found = await readVersion(pool)
  if (found === migrations.length) return { version: found }
  // Checked before any statement that the role may not be allowed to execute.
  if (found > migrations.length) throw createNewerError(found)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrate])
    await client.query(`create schema if not exists ${schema}`)
    await client.query(`create table if not exists ${schema}.migration (version integer primary key)`)
    const from = await readVersion(client)
    if (from > migrations.length) throw createNewerError(from)
    for (const [at, sql] of migrations.entries()) {
      if (at < from) continue
      await client.query(sql)
      await client.query(`insert into ${schema}.migration values ($1)`, [at + 1])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
  return { version: migrations.length }
}

function createNewerError(version: number): Error {
  const message = `its tables are of a newer Landform (version ${version}, this one knows ${migrations.length})`
  return Object.assign(new Error(message), { code: 'LANDFORM_NEWER' })
}

async function readVersion(asked: Pick<pg.Pool, 'query'> | pg.ClientBase): Promise<number> {
  const there = await asked.query(`select to_regclass('${schema}.migration') is not null as there`)
  if ((there.rows[0] as { there: boolean }).there !== true) return 0
  const found = await asked.query(`select coalesce(max(version), 0)::int as version from ${schema}.migration`)
  return (found.rows[0] as { version: number }).version
}
