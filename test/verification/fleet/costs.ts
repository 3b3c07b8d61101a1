import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { aWorker, submitted, until, untilAllEnded } from './rollout.js'
import { aStage, type Stage } from './stage.js'

/** What a fleet costs, by what was measured. */
export interface Cost {
  readonly what: string
  readonly value: number
  readonly unit: string
}

interface Written {
  readonly inserts: number
  readonly updates: number
  readonly deletes: number
  readonly commits: number
  readonly walBytes: number
}

/** What so many sites cost the database and two workers, where the service itself takes no time. */
export async function costOfSites(sites: number, limit: number): Promise<readonly Cost[]> {
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
    const peaks = await Promise.all(workers.map(worker => worker.peakMegabytes()))
    const rows = await rowsBySchema(stage)
    const idle = await idleLoad(stage)
    for (const worker of workers) worker.signal('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
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
      { what: 'memory of a worker', value: Math.max(...peaks), unit: 'MB' },
      { what: 'idle commits of two workers', value: idle.commits, unit: 'a second' },
      { what: 'idle write-ahead log', value: idle.walBytes, unit: 'bytes a second' },
      { what: 'connections of two workers', value: idle.connections, unit: '' },
    ]
  })
}

/** The memory of one worker that has so many sites at once, all of which it waits for. */
export async function memoryInFlight(sites: number): Promise<readonly Cost[]> {
  return onStage({ sites, stageMs: 60_000 }, async stage => {
    await submitted(stage)
    const worker = aWorker(stage, 'ada', { limit: sites, pollInterval: '5s' })
    await until('all sites are waited for', 300_000, async () => {
      const [row] = await stage.rows<{ n: number }>(
        `select count(*)::int as n from landform.run where state = 'running' and phase = 'wait'`,
      )
      return row?.n === sites
    })
    await setTimeout(15_000)
    const now = await residentMegabytes(worker.pid)
    const most = await worker.peakMegabytes()
    return [
      { what: `memory with ${sites} sites in flight`, value: now, unit: 'MB' },
      { what: `memory with ${sites} sites in flight, at most`, value: most, unit: 'MB' },
    ]
  })
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
  const seconds = 15
  await setTimeout(2000)
  const before = await written(stage)
  await setTimeout(seconds * 1000)
  const after = await written(stage)
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

async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s*(\d+)/.exec(text)?.[1] ?? 0) / 1024
}
