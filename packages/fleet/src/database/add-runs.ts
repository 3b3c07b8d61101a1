import type { Order } from '../model/run.js'
import { decideEffect, type OrderTerms, type PreviousRun } from '../model/submission.js'
import { advisoryLocks } from './database.js'
import type { QueryRunner } from './database-error.js'

/** A row in which columns without a value are null. */
export type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Removes the null columns of a row. */
export function withoutNulls<T extends object>(row: Nullable<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T
}

/** A site of a submission. With a generation, it repeats that run, unless the site was submitted again since. */
export type NewRun = Omit<Order, 'generation' | 'rollout'> &
  Partial<Pick<Order, 'generation'>> &
  Pick<OrderTerms, 'sameAs'>

/** Keeps other processes from adding, queueing and cancelling runs until the end of the transaction. */
export async function lockRuns(runner: QueryRunner): Promise<void> {
  await runner.rows('select pg_advisory_xact_lock($1)', [advisoryLocks.runs])
}

const columns = 'site, generation, rollout, name, manifest, digest, commit, wave, priority, timeout_ms, state'

/**
 * Adds runs to a rollout, except for sites that already have the same run; each site may occur only once. Returns the
 * effect on each site. The number of queries does not grow with the number of sites.
 */
export async function addRuns(runner: QueryRunner, rollout: string, runs: readonly NewRun[]) {
  await lockRuns(runner)
  const sites = runs.map(({ site }) => site)
  const previousRuns = await readPreviousRuns(runner, sites)
  const submitted = runs.map(run => {
    const former = previousRuns.get(run.site)
    const isOutdated = run.generation !== undefined && run.generation !== former?.generation
    const is = isOutdated ? 'same' : decideEffect(former, run)
    return { run, is, generation: (former?.generation ?? 0) + (is === 'same' ? 0 : 1) }
  })
  const added = submitted.flatMap(({ run, is, generation }) =>
    is === 'same' ? [] : [{ ...run, rollout, generation, timeout_ms: run.timeoutMs, state: 'waiting' }],
  )
  await runner.rows(
    `insert into landform.run (${columns})
     select ${columns} from jsonb_populate_recordset(null::landform.run, $1)`,
    [JSON.stringify(added)],
  )
  const replaced = await runner.rows(
    `update landform.run set state = 'cancelled', ended_at = clock_timestamp(), changed_at = clock_timestamp(),
     message = 'replaced by a later submission' where state = 'waiting' and exists (select
       from jsonb_to_recordset($1::jsonb) as added (site text, generation integer)
       where added.site = run.site and added.generation > run.generation) returning rollout`,
    [JSON.stringify(added)],
  )
  // A stopped rollout without waiting runs needs no decision by a person.
  await runner.rows(
    `update landform.rollout set state = 'cancelled' where state = 'stopped' and id = any($1::text[])
     and not exists (select from landform.run where run.rollout = rollout.id and run.state = 'waiting')`,
    [[...new Set(replaced.map(({ rollout: former }) => former))]],
  )
  return submitted.map(({ run, is, generation }) => ({ site: run.site, generation, is }))
}

/** Reads the newest run of each of these sites. */
export async function readPreviousRuns(
  runner: QueryRunner,
  sites: readonly string[],
): Promise<ReadonlyMap<string, PreviousRun>> {
  const newest = await runner.rows<Nullable<PreviousRun> & { readonly site: string }>(
    `select distinct on (run.site) run.site, generation, run.state, digest, commit, priority, timeout_ms::float8 as "timeoutMs",
     run.state = 'waiting' and rollout.state <> 'running' as "isStopped", cancel_requested_at is not null as "isCancelRequested"
     from landform.run join landform.rollout on rollout.id = run.rollout where run.site = any($1)
     order by run.site, generation desc`,
    [sites],
  )
  return new Map(newest.map(row => [row.site, withoutNulls<PreviousRun>(row)]))
}
