import type { WorkerStatus } from '../model/fleet-snapshot.js'
import type { QueryRunner } from './database.js'
import { ms } from './rows.js'

/** Lists the workers, alive and silent, by name. */
export async function readWorkers(runner: QueryRunner): Promise<readonly WorkerStatus[]> {
  return runner.rows<WorkerStatus>(
    `select id as worker, ${ms('started_at')} as "startedAt", ${ms('beat_at')} as "beatAt", lease_ms as "leaseMs",
     coalesce((details->>'limit')::int, 0) as "limit", coalesce(details->>'version', '') as version,
     beat_at + lease_ms * interval '1 millisecond' < clock_timestamp() as "isSilent"
     from landform.session where kind = 'worker' order by id`,
  )
}

/** Reads the clock of the database, which all times of a fleet come from; in milliseconds since 1970. */
export async function readClock(runner: QueryRunner): Promise<number> {
  const [row] = await runner.rows<{ now: number }>(`select ${ms('clock_timestamp()')} as now`)
  return row?.now ?? Number.NaN
}
