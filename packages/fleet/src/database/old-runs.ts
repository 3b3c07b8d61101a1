import type { RunKey } from '../model/run.js'
import type { Database } from './database.js'
import { schema } from './tables.js'

/** Runs that ended so many days ago, but for the newest of each site, which says where it stands. */
const isOld = `r.ended_at < clock_timestamp() - $1 * interval '1 day'
  and exists (select from ${schema}.run n where n.site = r.site and n.generation > r.generation)`

/** Submissions so old that have no run any more, and begin none. */
const isEmpty = `o.submitted_at < clock_timestamp() - $1 * interval '1 day' and o.state <> 'running'
  and not exists (select from ${schema}.run r where r.rollout = o.id)`

/** How many runs are that old. */
export async function countOldRuns(database: Database, days: number): Promise<number> {
  const [row] = await database.rows(`select count(*)::int as n from ${schema}.run r where ${isOld}`, [days])
  return row?.['n'] as number
}

/** Some of them. */
export async function oldRuns(database: Database, days: number, most: number): Promise<readonly RunKey[]> {
  const found = `select site, generation from ${schema}.run r where ${isOld} order by ended_at limit $2`
  return (await database.rows(found, [days, most])) as unknown as readonly RunKey[]
}

/** Takes runs away, with what happened in them. */
export async function removeRuns(database: Database, runs: readonly RunKey[]): Promise<void> {
  const keys = [runs.map(({ site }) => site), runs.map(({ generation }) => generation)]
  const these = '(site, generation) in (select * from unnest($1::text[], $2::int[]))'
  await database.transaction(async asking => {
    await asking.rows(`delete from ${schema}.event where ${these}`, keys)
    await asking.rows(`delete from ${schema}.run where ${these}`, keys)
  })
}

/** The submissions of which nothing is left. */
export async function emptyRollouts(database: Database, days: number): Promise<readonly string[]> {
  const found = await database.rows(`select id from ${schema}.rollout o where ${isEmpty}`, [days])
  return found.map(({ id }) => id as string)
}

/** Takes submissions away. */
export async function removeRollouts(database: Database, ids: readonly string[]): Promise<void> {
  await database.rows(`delete from ${schema}.rollout where id = any($1)`, [ids])
}
