import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { thisProcess } from 'landform/state'
import { advisoryLocks, type Database } from '../database/database.js'
import { DatabaseError, describeDatabaseError, type QueryRunner } from '../database/database-error.js'
import { createFleetStore } from '../database/fleet-store.js'
import { type FleetSession, openSession } from '../database/session.js'
import { readLoad } from '../database/view.js'
import { type Limits, launchEngine } from '../engine/engine.js'
import { createEngineClient, type EngineClient } from '../engine/engine-client.js'
import { hasEngineTables } from '../engine/engine-setup.js'
import { formatWorkflowId, type Order } from '../model/run.js'
import { createStateBackend } from '../state/postgres-backend.js'
import type { OpenedManifest } from '../workflow/run-ports.js'
import type { ReportWorkerEvent } from './log.js'
import { advanceRollouts, createSiteWork, type RunsHere } from './site-work.js'

/** The options of a worker. */
export interface WorkerOptions extends Limits {
  /** The name of the worker; only one process has it at a time. */
  readonly name: string
  readonly leaseMs: number
  readonly version: string
  readonly database: Database
  readonly report: ReportWorkerEvent
  readonly stop: AbortSignal
  /** Ends the process at once: it was suspended and must not touch any site. */
  leave(): void
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number
  /** Opens a manifest; the state for its plan is in the database. */
  openManifest(order: Order): Promise<OpenedManifest>
}

/** The end of a worker: it was stopped, its name was taken by another process, or it lost its lease. */
type WorkerEnd = 'stopped' | 'refused' | 'lost'

/** Maximum wait of a leaving worker for requests in flight, which have 30 seconds, and for its database. */
const [settleMs, maxWaitMs] = [35_000, 20_000]

/**
 * Works on sites until it is stopped or loses its lease. After a lost lease it must not touch any site: the process must
 * end. Rejects with a `DatabaseError` if its database is unreachable at the start or the end; then nothing of it continues.
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { report, name } = options
  const session = await openWorkerSession(options)
  if (session === undefined) return options.stop.aborted ? 'stopped' : 'refused'
  const leaving = new AbortController()
  const openGate = installGate(session, () => {
    report({ type: 'lease-lost', why: `${name} was suspended for longer than its lease` })
    options.leave()
  })
  const starting = startEngine(options, session, leaving.signal)
  try {
    return await workUntilStopped(options, session, starting, { leaving, openGate })
  } catch (error) {
    // Releases what can be released without a database: other processes find the session dead and take over its work.
    leaving.abort()
    const closed = starting.then(engine => engine.settle(0).then(engine.close))
    await Promise.allSettled([limitWait(closed), limitWait(session.close())])
    openGate()
    throw error
  }
}

async function workUntilStopped(
  { report, stop, name, limit, version, database }: WorkerOptions,
  session: FleetSession,
  starting: ReturnType<typeof startEngine>,
  { leaving, openGate }: { readonly leaving: AbortController; openGate(): void },
): Promise<WorkerEnd> {
  // A worker that is stopped while it starts does not wait for an unreachable database.
  const engine = (await Promise.race([starting, untilAborted(stop)])) ?? (await limitWait(starting))
  report({ type: 'worker-started', limit, version, database: database.where })
  await untilAborted(session.lost, stop)
  leaving.abort()
  if (session.lost.aborted) {
    // Not awaited: the process must end before it touches a site again. If it goes on, the gate stays closed until no run is left.
    void engine.settle(settleMs).then(engine.close).then(openGate, openGate)
    report({ type: 'lease-lost', why: `other workers declared ${name} dead` })
    return 'lost'
  }
  report({ type: 'worker-stopping', signal: String(stop.reason) })
  await engine.settle(settleMs)
  // Sites first: a process that starts the returned work finds them free.
  await limitWait(session.close())
  const returned = database.transaction(async runner => {
    // Waits for other processes that reassign work.
    await runner.rows('select pg_advisory_xact_lock($1)', [advisoryLocks.adopt])
    await engine.client.adopt([session.executor])
  })
  await limitWait(returned)
  await limitWait(engine.close())
  openGate()
  report({ type: 'worker-stopped' })
  return 'stopped'
}

/** Limits a wait: an unreachable database may never respond. */
async function limitWait<T>(work: Promise<T>): Promise<T> {
  const late = delay(maxWaitMs, undefined, { ref: false }).then(() => {
    throw new DatabaseError('no answer', '08006')
  })
  return Promise.race([work, late])
}

async function openWorkerSession(options: WorkerOptions): Promise<FleetSession | undefined> {
  const { database, name: id, leaseMs, limit, fleetLimit, version, stop } = options
  const until = Date.now() + 1.5 * leaseMs
  while (!stop.aborted) {
    const details = { limit, fleetLimit, version }
    const row = { id, kind: 'worker', holder: await thisProcess(), leaseMs, details } as const
    const session = await openSession(database, row)
    if (session !== undefined || Date.now() > until) return session
    await delay(leaseMs / 10, undefined, { signal: stop }).catch(() => undefined)
  }
  return undefined
}

async function startEngine(options: WorkerOptions, session: FleetSession, leaving: AbortSignal) {
  const { database, name: worker, report, leaseMs, pollMs } = options
  const store = createFleetStore(database)
  const runs: RunsHere = new Map()
  const client = await createEngineClient(database)
  const state = createStateBackend(database, { session: async () => session })
  const openManifest = async (order: Order): Promise<OpenedManifest> => {
    const found = await options.openManifest(order)
    return found.ok ? { ok: true, value: { ...found.value, state } } : found
  }
  const adopt = async () => {
    const adopted = await database.transaction(runner => adoptOrphans(runner, session, client))
    for (const { from, runs } of adopted)
      if (runs > 0) report({ type: 'runs-adopted', from: from.replace(/\/.*/, ''), runs })
  }
  // First, or a worker that comes back would be full of sites that waited before it goes on with those that it had.
  if (await hasEngineTables(database)) await adopt()
  const engine = await launchEngine({
    ...options,
    executor: session.executor,
    apply: createSiteWork({ store, session, state, runs, worker, report, leaving, pollMs, openManifest }),
    log: (level, said) => report({ type: 'engine-said', level, said }),
  })
  const watch = async () => {
    await adopt()
    await advanceRollouts(store, client, report)
    for (const run of await store.runsToCancel()) runs.get(formatWorkflowId(run))?.abort()
    await engine.share(computeShare(await readLoad(database)))
    report({ type: 'database-restored' })
  }
  let idle: readonly string[] = []
  /** Returns work to the queue that the engine took without learning of it, because the response of the database was lost. */
  const returnIdle = async () => {
    const before = idle
    idle = await client.listUnfinished(session.executor, [...runs.keys()])
    await client.requeue(idle.filter(id => before.includes(id)))
  }
  const reportFailure = (error: unknown) => {
    if (error instanceof DatabaseError)
      return report({ type: 'database-failed', why: describeDatabaseError(error), code: error.code })
    report({ type: 'engine-said', level: 'warn', said: `a watch failed (${(error as Error).name})` })
  }
  const repeat = async (work: () => Promise<void>, pauseMs: number) => {
    while (!leaving.aborted) {
      await work().catch(error => leaving.aborted || reportFailure(error))
      await delay(pauseMs, undefined, { signal: leaving }).catch(() => undefined)
    }
  }
  void repeat(watch, leaseMs / 8)
  void repeat(returnIdle, leaseMs)
  return { ...engine, client }
}

/** The channel of undici that publishes just before the first byte of a request is written. */
const sendHeaders = 'undici:client:sendHeaders'

/**
 * Checks the lease before each request of this process. A suspended process resumes in the middle of its work, long before
 * its connection can report that others have taken its sites. Returns a function that removes the check.
 */
export function installGate(session: Pick<FleetSession, 'isFresh'>, stale: () => void): () => void {
  const check = () => {
    if (!session.isFresh()) stale()
  }
  subscribe(sendHeaders, check)
  return () => unsubscribe(sendHeaders, check)
}

/**
 * Returns the work of dead workers to the queue. Only one process in the fleet does it at a time: no other process may
 * start that work in between.
 */
async function adoptOrphans(runner: QueryRunner, session: FleetSession, client: EngineClient) {
  const [row] = await runner.rows('select pg_try_advisory_xact_lock($1) as alone', [advisoryLocks.adopt])
  if (row?.['alone'] !== true) return []
  const others = (await client.listBusyExecutors()).filter(executor => executor !== session.executor)
  const dead = await session.removeDead(others)
  return Promise.all(dead.map(async from => ({ from, runs: await client.adopt([from]) })))
}

/** The number of sites that one of several workers may take before it is known how many there are. */
const minShare = 2

/**
 * Computes how many sites each worker may have: its share, because the engine lets the worker that polls first take as many
 * as it may have, while others idle.
 */
export function computeShare({ active, workers, limit }: Awaited<ReturnType<typeof readLoad>>): number {
  return workers < 2 ? limit : Math.min(limit, Math.max(minShare, Math.ceil(active / workers)))
}

async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  if (!any.aborted) await once(any, 'abort')
}
