import { setTimeout } from 'node:timers/promises'
import type { FleetRun } from '../judge/requests.js'
import type { Actor } from './actor.js'
import type { Stage } from './stage.js'

export interface WorkerOptions {
  /** Sites of this worker at once. */
  readonly limit: number
  /** Sites of all workers at once. */
  readonly fleetLimit?: number
  /** Default 10s. */
  readonly lease?: string
  /** Default 2s. */
  readonly pollInterval?: string
  /** Its name in the fleet, if it differs from that in its requests. */
  readonly as?: string
  readonly more?: readonly string[]
  /** The connection string, if it is not that of the stage. */
  readonly database?: string
}

/** Starts a worker of the fleet. */
export function aWorker(stage: Stage, name: string, options: WorkerOptions): Actor {
  const { limit, fleetLimit = limit, lease = '10s', pollInterval = '2s', as = name, more = [] } = options
  const words = [
    ...['fleet', 'worker', '--name', as, '--folder', stage.folder],
    ...['--limit', String(limit), '--fleet-limit', String(fleetLimit)],
    ...['--lease', lease, '--poll-interval', pollInterval, '--log', 'json', ...more],
  ]
  return stage.start(name, words, options.database)
}

/** Starts two workers. The first takes at most half of the sites, so the second has room for all of them. */
export async function twoWorkers(stage: Stage, options: WorkerOptions): Promise<readonly [Actor, Actor]> {
  const { limit, fleetLimit = limit } = options
  const ada = aWorker(stage, 'ada', { ...options, fleetLimit, limit: Math.ceil(fleetLimit / 2) })
  await untilConfigured(stage, 1, 60_000)
  return [ada, aWorker(stage, 'bob', { ...options, fleetLimit })]
}

/** A worker that is restarted whenever it ends by itself, as in a cluster. */
export interface Kept {
  /** Its exit codes so far. */
  readonly ends: readonly (number | NodeJS.Signals)[]
  stop(): Promise<void>
}

/** Starts a worker that is restarted. Its requests have a different name after each restart. */
export function aKeptWorker(stage: Stage, name: string, options: WorkerOptions): Kept {
  const ends: (number | NodeJS.Signals)[] = []
  let isOver = false
  let current: Actor
  const living = (async () => {
    while (!isOver && stage.isOpen()) {
      const life = ends.length === 0 ? name : `${name} again ${ends.length}`
      current = aWorker(stage, life, { ...options, as: name })
      ends.push(await current.ended)
      if (!isOver) await setTimeout(500)
    }
  })()
  return {
    ends,
    async stop() {
      isOver = true
      current.signal('SIGTERM')
      await living
    },
  }
}

/** Submits every site, and returns the output. Throws if the command fails. */
export async function submitted(stage: Stage, words: readonly string[] = []): Promise<string> {
  const { code, printed } = await stage.run(['fleet', 'submit', stage.folder, '--yes', ...words])
  if (code !== 0) throw new Error(`submit exited with ${code}: ${printed.slice(-500)}`)
  return printed
}

/** Reads the newest run of each site. */
export async function runs(stage: Stage): Promise<readonly FleetRun[]> {
  const rows = await stage.rows<Omit<FleetRun, 'site'> & { readonly name: string }>(
    `select distinct on (site) name, state, exit_code as "exitCode", message
     from landform.run order by site, generation desc`,
  )
  return rows
    .map(({ name, ...run }) => ({ ...run, site: Number(name.replace('site-', '')) }))
    .sort((a, b) => a.site - b.site)
}

/** Waits until a condition is true; exceptions, such as those of a stopped database, count as false. Throws after `mostMs`. */
export async function until(
  what: string,
  mostMs: number,
  isSo: () => Promise<boolean> | boolean,
): Promise<void> {
  const endMs = performance.now() + mostMs
  while (performance.now() < endMs) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
    await setTimeout(100)
  }
  throw new Error(`timed out after ${mostMs / 1000} s, waiting until ${what}`)
}

export function untilAllEnded(stage: Stage, mostMs: number): Promise<void> {
  return until('every run has ended', mostMs, async () => {
    const open = await stage.rows<{ readonly n: number }>(
      `select count(*)::int as n from landform.run where state in ('waiting', 'queued', 'running')`,
    )
    return open[0]?.n === 0 && (await stage.rows('select from landform.run limit 1')).length > 0
  })
}

/** Waits until a number of sites have accepted their configuration. */
export function untilConfigured(stage: Stage, sites: number, mostMs: number): Promise<void> {
  return until(`${sites} sites are configured`, mostMs, async () => {
    const seen = await stage.service.seen()
    return seen.filter(({ operation, accepted }) => operation === 'configure' && accepted).length >= sites
  })
}
