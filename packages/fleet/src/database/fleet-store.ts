import { type RunState, runStates } from 'landform/sites'
import {
  compareByUrgency,
  type QueuedRun,
  type Rollout,
  type Run,
  type RunEnd,
  type RunEvent,
  type RunKey,
  type RunProgress,
} from '../model/run.js'
import { addRuns, lockRuns, type NewRun, type Nullable, readPreviousRuns, withoutNulls } from './add-runs.js'
import type { Database } from './database.js'
import type { QueryRunner } from './database-error.js'

/** A selection of runs: only the newest of each site, unless `generations` is `all`. */
interface RunFilter {
  readonly states?: readonly RunState[]
  /** Names or base URLs. */
  readonly sites?: readonly string[] | undefined
  readonly rollout?: string | undefined
  readonly generations?: 'all'
}

/** An SQL expression for a time in milliseconds since 1970. */
export const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`

const runColumns = `site, generation, rollout, name, manifest, digest, commit, wave, priority,
  timeout_ms::float8 as "timeoutMs", state, phase, message, exit_code as "exitCode", stages, warnings, retries, split_part(worker, '/', 1) as worker,
  cancel_requested_at is not null as "isCancelRequested", ${ms('submitted_at')} as "submittedAt",
  ${ms('started_at')} as "startedAt", ${ms('ended_at')} as "endedAt", ${ms('changed_at')} as "changedAt"`
const rolloutColumns = `id, submitted_by as "submittedBy", ${ms('submitted_at')} as "submittedAt", wave, waves,
  keeps_going as "keepsGoing", state`
const isRun = 'site = $1 and generation = $2'
const isUnfinished = `state in ('waiting', 'queued', 'running')`
const changed = 'changed_at = clock_timestamp()'

/** Stores the sites of a fleet in the database. Every method rejects with a `DatabaseError` only. */
export type FleetStore = ReturnType<typeof createFleetStore>

/** Opens the store of a fleet in a database. */
export function createFleetStore(database: Database) {
  const key = ({ site, generation }: RunKey) => [site, generation] as const
  return {
    /** Adds a submission with its sites, unless the effect on every site is `same`. */
    submit: (rollout: Pick<Rollout, 'id' | 'submittedBy' | 'keepsGoing'>, runs: readonly NewRun[]) =>
      database.transaction(async runner => {
        const waves = Math.max(1, ...runs.map(({ wave }) => wave))
        await runner.rows(
          `insert into landform.rollout (id, submitted_by, waves, keeps_going) values ($1, $2, $3, $4)`,
          [rollout.id, rollout.submittedBy, waves, rollout.keepsGoing],
        )
        const submitted = await addRuns(runner, rollout.id, runs)
        if (submitted.every(({ is }) => is === 'same'))
          await runner.rows(`delete from landform.rollout where id = $1`, [rollout.id])
        return submitted
      }),
    /** Continues a stopped rollout from a wave, with more runs; `undefined` if it was not stopped. Notes the skipped sites. */
    continueRollout: (
      rollout: string,
      wave: number,
      runs: readonly NewRun[],
      without: readonly RunKey[] = [],
    ) =>
      database.transaction(async runner => {
        await lockRuns(runner)
        const stopped = await runner.rows(
          `update landform.rollout set state = 'running', wave = $2 where id = $1 and state = 'stopped' returning id`,
          [rollout, wave],
        )
        if (stopped.length === 0) return undefined
        await runner.rows(
          `insert into landform.event (site, generation, type, message)
           select *, 'left', $3 from unnest($1::text[], $2::int[])`,
          [...splitKeys(without), `rollout ${rollout} was resumed without the site`],
        )
        return addRuns(runner, rollout, runs)
      }),
    previousRuns: (sites: readonly string[]) => readPreviousRuns(database, sites),
    rollouts: () =>
      database.rows<Rollout>(`select ${rolloutColumns} from landform.rollout order by submitted_at desc`),
    runningRollouts: () =>
      database.rows<Rollout>(`select ${rolloutColumns} from landform.rollout where state = 'running'`),
    /** Moves a running rollout on; returns false if another process did so, or a run of its wave is unfinished. */
    async moveRollout({ id, wave }: Rollout, to: Pick<Rollout, 'wave' | 'state'>) {
      const moved = await database.rows(
        `update landform.rollout set wave = $3, state = $4 where id = $1 and wave = $2 and state = 'running' and not exists
         (select from landform.run where rollout = $1 and run.wave = $2 and run.${isUnfinished}) returning id`,
        [id, wave, to.wave, to.state],
      )
      return moved.length > 0
    },
    async runs({ states, sites, rollout, generations }: RunFilter = {}) {
      const newest = generations === 'all' ? '' : `distinct on (site)`
      const found = await readRuns(
        database,
        `select * from (select ${newest} ${runColumns} from landform.run order by site, generation desc) as run
         where ($1::text[] is null or state = any($1)) and ($2::text[] is null or site = any($2) or name = any($2))
         and ($3::text is null or rollout = $3)`,
        [states ?? null, sites ?? null, rollout ?? null],
      )
      return found.sort(compareByUrgency)
    },
    async counts() {
      const rows = await database.rows<{ state: RunState; n: number }>(
        `select state, count(*)::int as n from
         (select distinct on (site) state from landform.run order by site, generation desc) as newest group by state`,
      )
      const counts = [...runStates.map(state => [state, 0]), ...rows.map(({ state, n }) => [state, n])]
      return Object.fromEntries(counts) as Record<RunState, number>
    },
    /** Returns the states of the runs of a wave, each once; a run counts as done if a later run of its site is done. */
    async waveStates(rollout: string, wave: number) {
      const rows = await database.rows<{ now: RunState }>(
        `select distinct case when exists (select from landform.run later where later.site = run.site
           and later.generation > run.generation and later.state = 'done') then 'done' else state end as now
         from landform.run where rollout = $1 and wave = $2`,
        [rollout, wave],
      )
      return rows.map(({ now }) => now)
    },
    /** Queues the waiting runs of a wave. A run keeps waiting while another of its site is queued or running. */
    queueWave: (rollout: string, wave: number) =>
      database.transaction(async runner => {
        await lockRuns(runner)
        await runner.rows(
          `update landform.run set state = 'queued', ${changed} where state = 'waiting' and (site, generation) in
           (select distinct on (site) site, generation from landform.run
             where rollout = $1 and wave = $2 and state = 'waiting' and not exists (select from landform.run other
               where other.site = run.site and other.state in ('queued', 'running')) order by site, generation)`,
          [rollout, wave],
        )
      }),
    /** Queues the runs of processes without a session, which keep their phase, and returns how many each process had. */
    requeueOrphans: () =>
      database.rows<{ readonly executor: string; readonly runs: number }>(
        `with orphan as (select site, generation, worker from landform.run where state = 'running' and not exists
           (select from landform.session where id || '/' || incarnation = worker) for update skip locked),
         requeued as (update landform.run set state = 'queued', worker = null, ${changed} from orphan
           where run.site = orphan.site and run.generation = orphan.generation returning orphan.worker)
         select worker as executor, count(*)::int as runs from requeued group by worker`,
      ),
    /** Reads the queued runs that are next. */
    queuedRuns: async (): Promise<readonly QueuedRun[]> => {
      const next = await database.rows<Nullable<QueuedRun>>(
        `select site, generation, priority, phase from landform.run where state = 'queued'
         order by phase is null, priority, submitted_at, site limit ${maxQueued}`,
      )
      return next.map(withoutNulls<QueuedRun>)
    },
    /** Assigns a queued run to a process; `undefined` if it is no longer queued. The same process may repeat this. */
    async start(of: RunKey, executor: string) {
      const [started] = await readRuns(
        database,
        `update landform.run set state = 'running', worker = $3, message = null,
         started_at = coalesce(started_at, clock_timestamp()), ${changed}
         where ${isRun} and (state = 'queued' or (state = 'running' and worker = $3)) returning ${runColumns}`,
        [...key(of), executor],
      )
      return started
    },
    /** Records the progress of a run, if it is still that of the process. */
    async progress(of: RunKey, executor: string, { phase, message, stages, warnings, retries }: RunProgress) {
      await database.rows(
        `update landform.run set phase = coalesce($3, phase), message = coalesce($4, message),
         stages = coalesce($5, stages), warnings = coalesce($6, warnings), retries = coalesce($7, retries),
         ${changed} where ${isRun} and state = 'running' and worker = $8`,
        [...key(of), phase, message, JSON.stringify(stages), JSON.stringify(warnings), retries, executor],
      )
    },
    /** Records the result of a run, if it is still that of the process, and returns its duration in milliseconds. */
    async end(of: RunKey, executor: string, { state, message, exitCode }: RunEnd) {
      const [row] = await database.rows<{ durationMs: number | null }>(
        `update landform.run set state = $3, message = $4, exit_code = $5, phase = null, ended_at = clock_timestamp(),
         ${changed} where ${isRun} and worker = $6 and state in ('running', $3)
         returning ${ms('ended_at - started_at')} as "durationMs"`,
        [...key(of), state, message, exitCode, executor],
      )
      return row?.durationMs
    },
    async addEvents(of: RunKey, events: readonly Pick<RunEvent, 'type' | 'message'>[]) {
      if (events.length === 0) return
      await database.rows(
        `insert into landform.event (site, generation, type, message)
         select $1, $2, * from unnest($3::text[], $4::text[])`,
        [...key(of), events.map(({ type }) => type), events.map(({ message }) => message)],
      )
    },
    events: (of: RunKey) =>
      database.rows<RunEvent>(
        `select site, generation, number::float8 as number, type, message, ${ms('at')} as at
         from landform.event where ${isRun} order by number`,
        key(of),
      ),
    /**
     * Cancels rollouts with their unfinished runs, and other runs. Runs that no worker has begun end at once. Returns the
     * cancelled runs.
     */
    cancel: (keys: readonly RunKey[], rollouts: readonly string[] = []) =>
      database.transaction(async runner => {
        await lockRuns(runner)
        const cancelled = `update landform.rollout set state = 'cancelled' where id = any($1) and state <> 'done'`
        await runner.rows(cancelled, [rollouts])
        const found = await readRuns(
          runner,
          `with ended as (
           update landform.run set cancel_requested_at = clock_timestamp(), ${changed},
           state = case when started_at is null then 'cancelled' else state end,
           ended_at = case when started_at is null then clock_timestamp() end
           where ((site, generation) in (select * from unnest($1::text[], $2::int[])) or rollout = any($3::text[]))
           and ${isUnfinished} returning *),
         noted as (insert into landform.event (site, generation, type, message)
           select site, generation, 'cancelled', 'cancellation requested' from ended)
         select ${runColumns} from ended`,
          [...splitKeys(keys), rollouts],
        )
        return found.sort(compareByUrgency)
      }),
    /** Lists running runs whose cancellation was requested. */
    runsToCancel: () =>
      database.rows<RunKey>(
        `select site, generation from landform.run where state = 'running' and cancel_requested_at is not null`,
      ),
  }
}

/** Maximum number of runs in the queue of the engine: more than workers take before it is filled again. */
const maxQueued = 500

/** Splits keys into two columns for `unnest`. */
export const splitKeys = (keys: readonly RunKey[]) => [
  keys.map(({ site }) => site),
  keys.map(({ generation }) => generation),
]

async function readRuns(runner: QueryRunner, sql: string, values: readonly unknown[]) {
  return (await runner.rows<Nullable<Run>>(sql, values)).map(withoutNulls<Run>)
}
