import type { FleetFigures } from '../model/fleet-figures.js'
import type { Database } from './database.js'
import type { FleetStore } from './fleet-store.js'
import { schema } from './tables.js'

const none = { oldestQueuedSeconds: 0, workers: 0, workerLimit: 0, stoppedRollouts: 0 }

/** Counts the fleet with two queries. Rejects with a `DatabaseError` only. */
export async function readFleetFigures(database: Database, store: FleetStore): Promise<FleetFigures> {
  const [row = none] = await database.rows<Omit<FleetFigures, 'sites'>>(
    `select
      (select coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0)::float8
        from ${schema}.run where state = 'queued') as "oldestQueuedSeconds",
      count(*)::int as workers,
      coalesce(sum((details->>'limit')::int), 0)::int as "workerLimit",
      (select count(*)::int from ${schema}.rollout where state = 'stopped') as "stoppedRollouts"
    from ${schema}.session
    where kind = 'worker' and beat_at > clock_timestamp() - lease_ms * interval '1 millisecond'`,
  )
  return { ...row, sites: await store.counts() }
}
