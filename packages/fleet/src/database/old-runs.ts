import type { RunKey } from '../model/run.js'
import type { Database } from './database.js'
import { schema } from './tables.js'

/** Runs that ended this many days ago, except the newest of each site, which holds its state. */
const isOld = `r.ended_at < clock_timestamp() - $1 * interval '1 day'
  and exists (select from ${schema}.run n where n.site = r.site and n.generation > r.generation)`

/** Submissions of that age that have no runs left and start none. */
const isEmpty = `o.submitted_at < clock_timestamp() - $1 * interval '1 day' and o.state <> 'running'
  and not exists (select from ${schema}.run r where r.rollout = o.id)`

/** Counts the old runs. */
export async function countOldRuns(database: Database, days: number): Promise<number> {
  const count = `select count(*)::int as n from ${schema}.run r where ${isOld}`
  const [row] = await database.rows<{ n: number }>(count, [days])
  return row?.n ?? 0
}

/** Lists old runs, up to a maximum number. */
export async function listOldRuns(
  database: Database,
  days: number,
  limit: number,
): Promise<readonly RunKey[]> {
  const found = `select site, generation from ${schema}.run r where ${isOld} order by ended_at limit $2`
  return database.rows<RunKey>(found, [days, limit])
}

/** Removes runs and their events. */
export async function removeRuns(database: Database, runs: readonly RunKey[]): Promise<void> {
  const keys = [runs.map(({ site }) => site), runs.map(({ generation }) => generation)]
  const these = '(site, generation) in (select * from unnest($1::text[], $2::int[]))'
  await database.transaction(async runner => {
    await runner.rows(`delete from ${schema}.event where ${these}`, keys)
    await runner.rows(`delete from ${schema}.run where ${these}`, keys)
  })
}

/** Lists old submissions without runs. */
export async function listEmptyRollouts(database: Database, days: number): Promise<readonly string[]> {
  const empty = `select id from ${schema}.rollout o where ${isEmpty}`
  const found = await database.rows<{ id: string }>(empty, [days])
  return found.map(({ id }) => id)
}

/** Removes submissions. */
export async function removeRollouts(database: Database, ids: readonly string[]): Promise<void> {
  await database.rows(`delete from ${schema}.rollout where id = any($1)`, [ids])
}
