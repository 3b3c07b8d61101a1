import { stageProgress } from 'landform/sites'
import type { Overview, RolloutRow, RunRow, SiteRow, WaveCount } from '../model/overview.js'
import type { Rollout, RunEvent, RunKey } from '../model/run.js'
import type { QueryRunner } from './database-error.js'
import { ms as exactMs, type Nullable, rolloutColumns, withoutNulls } from './rows.js'
import { schema } from './tables.js'
import { readClock, readWorkers } from './workers.js'

const through = Object.entries(stageProgress).flatMap(([state, progress]) =>
  progress === 'through' ? [state] : [],
)
const still = Object.entries(stageProgress).flatMap(([state, progress]) =>
  progress === 'running' ? [] : [state],
)
/** Rounded, because fractions would be a tenth of the data. */
const ms = (column: string) => `round(${exactMs(column)})`
const maxRollouts = 30
const maxEvents = 500
const maxRuns = 50

/** Columns of a table row; long values are reduced, because ten thousand rows are read at once. */
const siteColumns = `run.site, run.generation, run.name, run.rollout, run.wave, run.state, run.phase,
  case when run.state <> 'done' then run.message end as message, run.retries, run.worker,
  run.cancel_requested_at is not null as "isCancelRequested", ${ms('run.submitted_at')} as "submittedAt",
  ${ms('run.started_at')} as "startedAt", ${ms('run.ended_at')} as "endedAt", ${ms('run.changed_at')} as "changedAt",
  jsonb_array_length(run.warnings) as warnings, jsonb_array_length(run.stages) as stages,
  (select count(*)::int from jsonb_array_elements(run.stages) as stage where stage->>'state' = any($2)) as through,
  (select stage->>'name' from jsonb_array_elements(run.stages) with ordinality as list(stage, place)
   where not stage->>'state' = any($3) order by place limit 1) as stage`

/**
 * Reads the newest run of every site, or of those that changed after a time; with all rollouts and workers. The time is
 * read first, so a caller that reads again after it misses no later commit.
 */
export async function readOverview(database: QueryRunner, changedAfter?: number): Promise<Overview> {
  const now = await readClock(database)
  const sites = await database.rows<Nullable<SiteRow>>(
    `select ${siteColumns} from ${schema}.run as run
     where ($1::float8 is null or run.changed_at > to_timestamp($1 / 1000))
     and not exists (select from ${schema}.run as later
       where later.site = run.site and later.generation > run.generation)`,
    [changedAfter ?? null, through, still],
  )
  return {
    now: Math.floor(now),
    sites: sites.map(withoutNulls<SiteRow>),
    rollouts: await readRollouts(database),
    workers: await readWorkers(database),
  }
}

async function readRollouts(database: QueryRunner): Promise<readonly RolloutRow[]> {
  const rollouts = await database.rows<Rollout>(
    `select ${rolloutColumns} from ${schema}.rollout
     where state in ('running', 'stopped') or id in
       (select id from ${schema}.rollout order by submitted_at desc limit ${maxRollouts})
     order by submitted_at desc`,
  )
  const counts = await database.rows<WaveCount & { readonly rollout: string }>(
    `select rollout, wave, state, count(*)::int as runs from ${schema}.run where rollout = any($1)
     group by rollout, wave, state order by wave, state`,
    [rollouts.map(({ id }) => id)],
  )
  return rollouts.map(rollout => ({ ...rollout, counts: selectCounts(counts, rollout) }))
}

function selectCounts(
  rows: readonly (WaveCount & { readonly rollout: string })[],
  { id }: Rollout,
): readonly WaveCount[] {
  return rows.filter(({ rollout }) => rollout === id).map(({ wave, state, runs }) => ({ wave, state, runs }))
}

/** Reads the newest runs of a site, the newest first. */
export async function readRuns(database: QueryRunner, site: string): Promise<readonly RunRow[]> {
  const rows = await database.rows<Nullable<RunRow>>(
    `select site, generation, rollout, state, ${ms('submitted_at')} as "submittedAt", ${ms('ended_at')} as "endedAt"
     from ${schema}.run where site = $1 order by generation desc limit ${maxRuns}`,
    [site],
  )
  return rows.map(withoutNulls<RunRow>)
}

/** Reads the latest events of a run, the newest first. */
export async function readNewestEvents(
  database: QueryRunner,
  { site, generation }: RunKey,
): Promise<readonly RunEvent[]> {
  const rows = await database.rows<Omit<RunEvent, keyof RunKey>>(
    `select number::float8 as number, type, message, ${ms('at')} as at from ${schema}.event
     where site = $1 and generation = $2 order by number desc limit ${maxEvents}`,
    [site, generation],
  )
  return rows.map(row => ({ site, generation, ...row }))
}
