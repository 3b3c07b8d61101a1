import type { FleetSnapshot, Load, WorkerStatus } from '../model/run.js'
import type { Database } from './database.js'
import type { QueryRunner } from './database-error.js'
import { type FleetStore, ms } from './fleet-store.js'

/** The database of a fleet. */
export interface FleetTables {
  readonly database: Database
  readonly store: FleetStore
}

/** Reads the fleet for `status` and the page: its sites, or those with the given addresses, their rollouts, and the workers. */
export async function readFleet(
  { database, store }: FleetTables,
  sites?: readonly string[],
): Promise<FleetSnapshot> {
  const [now, runs] = [await readClock(database), await store.runs({ sites })]
  const ids = new Set(runs.map(({ rollout }) => rollout))
  const rollouts = (await store.rollouts()).filter(({ id }) => ids.has(id))
  return { now, runs, rollouts, workers: await readWorkers(database) }
}

/** Reads every run of a site with its events, the newest first. */
export async function readRunsOfSite(store: FleetStore, site: string) {
  const runs = await store.runs({ sites: [site], generations: 'all' })
  const newestFirst = runs.toSorted((a, b) => b.generation - a.generation)
  return Promise.all(newestFirst.map(async run => ({ ...run, events: await store.events(run) })))
}

/** Reads the clock of the database, which all times of a fleet come from; in milliseconds since 1970. */
export async function readClock(runner: QueryRunner): Promise<number> {
  const [row] = await runner.rows<{ now: number }>(`select ${ms('clock_timestamp()')} as now`)
  return row?.now ?? Number.NaN
}

async function readWorkers(runner: QueryRunner): Promise<readonly WorkerStatus[]> {
  return runner.rows<WorkerStatus>(
    `select id as worker, ${ms('started_at')} as "startedAt", ${ms('beat_at')} as "beatAt", lease_ms as "leaseMs",
     coalesce((details->>'limit')::int, 0) as "limit", coalesce(details->>'version', '') as version,
     beat_at + lease_ms * interval '1 millisecond' < clock_timestamp() as "isSilent"
     from landform.session where kind = 'worker' order by id`,
  )
}

/** Reads the figures of the fleet that the queue and the metrics depend on. Rejects with a `DatabaseError` only. */
export async function readLoad(runner: QueryRunner): Promise<Load> {
  type Found = Omit<Load, 'limit' | 'fleetLimit'> & { readonly limits: Partial<Load> | null }
  const [row] = await runner.rows<Found>(
    `select ${ms('clock_timestamp()')} as now, runs.*, workers.*,
      (select coalesce(array_agg(id || '/' || incarnation), '{}') from landform.session where kind = 'worker') as executors,
      (select count(*)::int from landform.rollout where state = 'stopped') as "stoppedRollouts"
     from (select count(*)::int as active, (count(*) filter (where state = 'running'))::int as running,
         coalesce(extract(epoch from clock_timestamp() - min(changed_at) filter (where state = 'queued')), 0)::float8
         as "oldestQueuedSeconds" from landform.run where state in ('queued', 'running')) as runs,
       (select count(*)::int as workers, coalesce(sum((details->>'limit')::int), 0)::int as "workerLimit",
         (array_agg(details order by started_at desc))[1] as limits from landform.session
         where kind = 'worker' and beat_at > clock_timestamp() - lease_ms * interval '1 millisecond') as workers`,
  )
  const { limits, ...load } = row as Found
  const { limit = 1, fleetLimit } = limits ?? {}
  return { ...load, limit, ...(fleetLimit !== undefined && { fleetLimit }) }
}
