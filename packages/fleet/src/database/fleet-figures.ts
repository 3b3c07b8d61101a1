import type { FleetFigures } from '../model/fleet-figures.js'
import type { Database } from './database.js'
import type { FleetStore } from './fleet-store.js'
import { schema } from './tables.js'

/** Counts the fleet with two queries. Rejects with a `DatabaseError` only. */
export async function readFleetFigures(database: Database, store: FleetStore): Promise<FleetFigures> {
  const [row = {}] = await database.rows(
    `select
      (select coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0)::float8
        from ${schema}.run where state = 'queued') as "oldestQueuedSeconds",
      count(*)::int as workers,
      coalesce(sum((details->>'limit')::int), 0)::int as "workerLimit",
      (select count(*)::int from ${schema}.rollout where state = 'stopped') as "stoppedRollouts"
    from ${schema}.session
    where kind = 'worker' and beat_at > clock_timestamp() - lease_ms * interval '1 millisecond'`,
  )
  return { ...(row as unknown as Omit<FleetFigures, 'sites'>), sites: await store.counts() }
}
