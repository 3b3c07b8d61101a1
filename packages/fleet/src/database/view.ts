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

const alive = `landform.session
  where kind = 'worker' and beat_at > clock_timestamp() - lease_ms * interval '1 millisecond'`

/** Reads the figures of the fleet for metrics. Rejects with a `DatabaseError` only. */
export async function readFleetFigures(database: Database, store: FleetStore) {
  type Figure = 'oldestQueuedSeconds' | 'workers' | 'workerLimit' | 'stoppedRollouts'
  const [figures] = await database.rows<Record<Figure, number>>(
    `select
      (select coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0)::float8
        from landform.run where state = 'queued') as "oldestQueuedSeconds",
      count(*)::int as workers,
      coalesce(sum((details->>'limit')::int), 0)::int as "workerLimit",
      (select count(*)::int from landform.rollout where state = 'stopped') as "stoppedRollouts"
    from ${alive}`,
  )
  return { ...(figures as Record<Figure, number>), sites: await store.counts() }
}

/** Figures of the whole fleet at one moment. */
export type FleetFigures = Awaited<ReturnType<typeof readFleetFigures>>

/** Reads the facts that the queue depends on. The limits are those of the worker that started last. */
export async function readLoad(runner: QueryRunner): Promise<Load> {
  const [row] = await runner.rows<Omit<Load, 'limit' | 'fleetLimit'> & { limits: Partial<Load> | null }>(
    `select ${ms('clock_timestamp()')} as now, count(*)::int as workers,
      (select count(*)::int from landform.run where state in ('queued', 'running')) as active,
      (select count(*)::int from landform.run where state = 'running') as running,
      (select coalesce(array_agg(id || '/' || incarnation), '{}') from landform.session where kind = 'worker') as executors,
      (array_agg(details order by started_at desc))[1] as limits
     from ${alive}`,
  )
  const { limits, ...load } = row ?? {
    now: 0,
    workers: 0,
    active: 0,
    running: 0,
    executors: [],
    limits: null,
  }
  const { limit = 1, fleetLimit } = limits ?? {}
  return { ...load, limit, ...(fleetLimit !== undefined && { fleetLimit }) }
}
