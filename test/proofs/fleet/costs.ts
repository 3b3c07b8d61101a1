import { setTimeout } from 'node:timers/promises'
import type { Actor } from './actor.js'
import type { OwnFigures } from './own-figures.js'
import { aWorker, submitted, until, untilAllEnded } from './rollout.js'
import { aStage, type Stage } from './stage.js'

/** What a fleet costs, by what was measured. */
export interface Cost {
  readonly what: string
  readonly value: number
  readonly unit: string
}

/**
 * The most that is allowed, which leaves room: a figure that comes near it has grown. Of times only that of a process that
 * answers nobody has one, for a worker has to be heard of four times in a lease of ten seconds; other times are those of the machine.
 */
export const mostOf: Readonly<Record<string, number>> = {
  'rows inserted': 40,
  'rows updated': 20,
  'rows deleted': 3,
  commits: 90,
  'write-ahead log': 60,
  'memory of a worker with 50 sites': 160,
  // At most 1.3 times as much.
  'memory of a worker with 500 sites': 208,
  'longest delay of a worker with 500 sites': 2500,
  'memory of the page with 1,000 sites': 130,
  'memory of the page with 10,000 sites': 170,
  'idle commits of two workers': 45,
  'connections of two workers': 26,
}

/** What is dearer than it may be, and each bound of which nothing was measured. */
export function excesses(costs: readonly Cost[]): readonly string[] {
  return Object.entries(mostOf).flatMap(([what, most]) => {
    const cost = costs.find(one => one.what === what)
    if (cost === undefined) return [`${what} was not measured`]
    return cost.value <= most ? [] : [`${what}: ${formatCost(cost)}, and ${most} are allowed`]
  })
}

/** The value with its unit, as a person reads it. */
export function formatCost({ value, unit }: Cost): string {
  return `${value < 100 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`.trimEnd()
}

/** Everything that is measured, one after the other. */
export async function* costsOfFleet(): AsyncGenerator<Cost> {
  yield* await costOfPage(1000)
  yield* await costOfPage(10_000)
  yield* await costOfSites(200, 50)
  yield* await costOfWaiting(500)
}

interface Written {
  readonly inserts: number
  readonly updates: number
  readonly deletes: number
  readonly commits: number
  readonly walBytes: number
}

/** What so many sites cost the database and two workers, where the service itself takes no time. */
async function costOfSites(sites: number, limit: number): Promise<readonly Cost[]> {
  return onStage({ sites, stageMs: 0 }, async stage => {
    const submitting = performance.now()
    await submitted(stage)
    const submitMs = performance.now() - submitting
    const workers = ['ada', 'bob'].map(name => aWorker(stage, name, { limit, pollInterval: '50ms' }))
    await until('two workers are there', 60_000, async () => (await sessions(stage)) === 2)
    const before = await written(stage)
    const startedMs = performance.now()
    await untilAllEnded(stage, 600_000)
    const elapsedMs = performance.now() - startedMs
    const after = await written(stage)
    const rows = await rowsBySchema(stage)
    const idle = await idleLoad(stage)
    for (const worker of workers) worker.signal('SIGTERM')
    const figures = await Promise.all(workers.map(afterEnd))
    const perSite = (from: keyof Written) => (after[from] - before[from]) / sites
    return [
      { what: 'submitting', value: submitMs / sites, unit: 'ms a site' },
      { what: 'time with two workers', value: elapsedMs / sites, unit: 'ms a site' },
      { what: 'rows inserted', value: perSite('inserts'), unit: 'a site' },
      { what: 'rows updated', value: perSite('updates'), unit: 'a site' },
      { what: 'rows deleted', value: perSite('deletes'), unit: 'a site' },
      { what: 'commits', value: perSite('commits'), unit: 'a site' },
      { what: 'write-ahead log', value: perSite('walBytes') / 1024, unit: 'KB a site' },
      ...rows.map(({ name, n, bytes }) => ({
        what: `rows of ${name}`,
        value: n / sites,
        unit: `a site, ${Math.round(bytes / sites)} bytes`,
      })),
      {
        what: `memory of a worker with ${limit} sites`,
        value: Math.max(...figures.map(({ peakMegabytes }) => peakMegabytes)),
        unit: 'MB',
      },
      { what: 'idle commits of two workers', value: idle.commits, unit: 'a second' },
      { what: 'idle write-ahead log', value: idle.walBytes, unit: 'bytes a second' },
      { what: 'connections of two workers', value: idle.connections, unit: '' },
    ]
  })
}

/** What one worker needs that has so many sites at once, all of which it comes to wait for. */
async function costOfWaiting(sites: number): Promise<readonly Cost[]> {
  return onStage({ sites, stageMs: 60_000 }, async stage => {
    await submitted(stage)
    const worker = aWorker(stage, 'ada', { limit: sites, pollInterval: '5s' })
    await until('all sites are waited for', 900_000, async () => {
      const [row] = await stage.rows<{ n: number }>(
        `select count(*)::int as n from landform.run where state = 'running' and phase = 'wait'`,
      )
      return row?.n === sites
    })
    // Each site is looked at three times.
    await setTimeout(15_000)
    worker.signal('SIGTERM')
    const { peakMegabytes, longestDelayMs, usualDelayMs } = await afterEnd(worker)
    return [
      { what: `memory of a worker with ${sites} sites`, value: peakMegabytes, unit: 'MB' },
      { what: `longest delay of a worker with ${sites} sites`, value: longestDelayMs, unit: 'ms' },
      { what: `99th percentile of its delays`, value: usualDelayMs, unit: 'ms' },
    ]
  })
}

/** What the page needs that somebody looks at for half a minute, while a tenth of so many sites changes each second. */
async function costOfPage(sites: number): Promise<readonly Cost[]> {
  return onStage({ sites: 1, stageMs: 0 }, async stage => {
    await submitted(stage)
    await stage.rows(
      `insert into landform.run (site, generation, rollout, wave, name, manifest, digest, priority, timeout_ms, state)
       select site || number, 1, rollout, wave, name || '-' || number, manifest, digest, priority, timeout_ms, 'waiting'
       from landform.run, generate_series(2, $1::int) as number`,
      [sites],
    )
    const page = stage.start('page', ['fleet', 'ui', '--listen', '127.0.0.1:0'])
    await until('the page is there', 60_000, async () => (await page.printed()).includes('\n'))
    const url = (await page.printed()).split('\n')[0] ?? ''
    const whole = await (await fetch(new URL('api/fleet', url))).text()
    const listening = new AbortController()
    const events = await fetch(new URL('events', url), { signal: listening.signal })
    let heard = 0
    const hearing = (async () => {
      for await (const bytes of events.body ?? []) heard += bytes.length
    })().catch(() => undefined)
    for (let second = 0; second < 30; second += 1) {
      await stage.rows(
        `update landform.run set message = 'second ' || $1::text, changed_at = clock_timestamp()
         where abs(hashtext(site)) % 10 = $1 % 10`,
        [second],
      )
      await setTimeout(1000)
    }
    listening.abort()
    await hearing
    page.signal('SIGTERM')
    const { peakMegabytes } = await afterEnd(page)
    const named = sites.toLocaleString('en')
    return [
      { what: `memory of the page with ${named} sites`, value: peakMegabytes, unit: 'MB' },
      { what: `the whole fleet with ${named} sites`, value: whole.length / 1024, unit: 'KB' },
      { what: `what a listener hears of ${named} sites`, value: heard / 30 / 1024, unit: 'KB a second' },
    ]
  })
}

async function afterEnd(actor: Actor): Promise<OwnFigures> {
  await actor.ended
  return actor.figures()
}

async function onStage<T>(
  options: Parameters<typeof aStage>[0],
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const stage = await aStage(options)
  try {
    return await work(stage)
  } finally {
    await stage.close()
  }
}

async function sessions(stage: Stage): Promise<number> {
  const [row] = await stage.rows<{ n: number }>(
    `select count(*)::int as n from landform.session where kind = 'worker'`,
  )
  return row?.n ?? 0
}

async function idleLoad(
  stage: Stage,
): Promise<Pick<Written, 'commits' | 'walBytes'> & { connections: number }> {
  // A connection that has nothing to do tells what it did up to ten seconds later, and that would count as done idly.
  await setTimeout(12_000)
  const before = await written(stage)
  const beganMs = performance.now()
  await setTimeout(15_000)
  const after = await written(stage)
  const seconds = (performance.now() - beganMs) / 1000
  const [row] = await stage.rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name <> 'stage'`,
  )
  return {
    commits: (after.commits - before.commits) / seconds,
    walBytes: (after.walBytes - before.walBytes) / seconds,
    connections: row?.n ?? 0,
  }
}

/** What the server counts; it takes a moment until a connection tells what it did. */
async function written(stage: Stage): Promise<Written> {
  await setTimeout(1500)
  const [row] = await stage.rows<Record<keyof Written, string>>(
    `select tup_inserted as inserts, tup_updated as updates, tup_deleted as deletes, xact_commit as commits,
     pg_current_wal_insert_lsn() - '0/0' as "walBytes" from pg_stat_database where datname = current_database()`,
  )
  const number = (name: keyof Written) => Number(row?.[name] ?? 0)
  return {
    inserts: number('inserts'),
    updates: number('updates'),
    deletes: number('deletes'),
    commits: number('commits'),
    walBytes: number('walBytes'),
  }
}

async function rowsBySchema(stage: Stage) {
  const tables = await stage.rows<{ name: string; bytes: string }>(
    `select format('%I.%I', nspname, relname) as name, pg_total_relation_size(pg_class.oid) as bytes
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ('landform', 'dbos') and relkind = 'r' order by 1`,
  )
  const counted = []
  for (const { name, bytes } of tables) {
    const [row] = await stage.rows<{ n: number }>(`select count(*)::int as n from ${name}`)
    if ((row?.n ?? 0) > 10) counted.push({ name, n: row?.n ?? 0, bytes: Number(bytes) })
  }
  return counted
}
