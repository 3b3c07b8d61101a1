import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { thisProcess } from 'landform/state'
import type { Database } from '../database/database.js'
import { DatabaseError } from '../database/database-error.js'
import { createFleetStore } from '../database/fleet-store.js'
import { describeDatabaseError } from '../database/reason.js'
import { type FleetSession, openSession } from '../database/session.js'
import { type Engine, launchEngine } from '../engine/dbos-engine.js'
import { openEngineClient } from '../engine/engine-client.js'
import type { Limits } from '../engine/queues.js'
import { formatWorkflowId, type Order } from '../model/run.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'
import { createStateBackend } from '../state/postgres-backend.js'
import type { OpenedManifest } from '../workflow/run-ports.js'
import { installGate } from './gate.js'
import { adoptOrphans, returnWork } from './orphans.js'
import { repeat } from './repeat.js'
import { createRetryingStore } from './retrying-store.js'
import { createRolloutWork } from './rollout-work.js'
import { createSiteWork, type RunsHere } from './site-work.js'

/** The options of a worker. */
export interface WorkerOptions extends Limits {
  /** The name of the worker; only one process has it at a time. */
  readonly name: string
  readonly leaseMs: number
  readonly version: string
  readonly database: Database
  /** For the engine. */
  readonly connection: string
  readonly report: ReportWorkerEvent
  /** Stops the worker. */
  readonly stop: AbortSignal
  /** Ends the process at once: it was suspended and must not touch any site. */
  leave(): void
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number
  /** Opens a manifest; the state for its plan is in the database. */
  openManifest(order: Order): Promise<OpenedManifest>
}

/** The end of a worker: it was stopped, its name was taken by another process, or it lost its lease. */
export type WorkerEnd = 'stopped' | 'refused' | 'lost'

/**
 * Maximum wait of a leaving worker for steps that cannot be interrupted, such as a request in flight, and for its database.
 */
const maxWaitMs = 20_000

/**
 * Works on sites until it is stopped or loses its lease. After a lost lease it must not touch any site: the process must
 * end. Rejects with a `DatabaseError` if its database is unreachable at the start or the end; then nothing of it continues.
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { report, name } = options
  const session = await openWorkerSession(options)
  if (session === undefined) return 'refused'
  const leaving = new AbortController()
  const openGate = installGate(session, () => {
    report({ type: 'lease-lost', why: `${name} was suspended for longer than its lease` })
    options.leave()
  })
  const starting = startEngine(options, session, leaving.signal)
  const context = { session, starting, leaving, openGate }
  try {
    return await workUntilStopped(options, context)
  } catch (error) {
    await abandon(context)
    throw error
  }
}

interface WorkerContext {
  readonly session: FleetSession
  readonly starting: Promise<Engine>
  readonly leaving: AbortController
  openGate(): void
}

async function workUntilStopped(
  { report, stop, name, limit, version, database }: WorkerOptions,
  { session, starting, leaving, openGate }: WorkerContext,
): Promise<WorkerEnd> {
  const engine = await awaitStart(stop, starting)
  report({ type: 'worker-started', limit, version, database: database.where })
  await untilAborted(session.lost, stop)
  leaving.abort()
  if (session.lost.aborted) {
    // Not awaited: the process must end before it touches a site again. If it continues anyway, the gate stays closed until
    // nothing is left that could send a request.
    void engine
      .settle(0)
      .then(engine.close)
      .then(engine.idle)
      .then(openGate)
      .catch(() => undefined)
    report({ type: 'lease-lost', why: `other workers declared ${name} dead` })
    return 'lost'
  }
  report({ type: 'worker-stopping', signal: String(stop.reason) })
  await engine.settle(maxWaitMs)
  // Sites first: a process that starts the returned work finds them free.
  await limitWait(session.close())
  await limitWait(returnWork({ database, session, engine }))
  await limitWait(engine.close())
  openGate()
  report({ type: 'worker-stopped' })
  return 'stopped'
}

/**
 * Releases everything that can be released without a database: other processes find the session dead and take over its
 * work.
 */
async function abandon({ session, starting, leaving, openGate }: WorkerContext): Promise<void> {
  leaving.abort()
  const closed = starting.then(
    async engine => {
      await engine.settle(0)
      await engine.close()
    },
    () => undefined,
  )
  const ignored = () => undefined
  await Promise.all([limitWait(closed).catch(ignored), limitWait(session.close()).catch(ignored)])
  openGate()
}

/** Waits for the engine to start; a worker that is stopped earlier does not wait for an unreachable database. */
async function awaitStart(stop: AbortSignal, starting: Promise<Engine>): Promise<Engine> {
  return (await Promise.race([starting, untilAborted(stop)])) ?? limitWait(starting)
}

/** Limits a wait: an unreachable database may never respond. */
async function limitWait<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(maxWaitMs, undefined, { signal: done.signal }).then(() => {
    throw new DatabaseError('no answer', '08006')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => undefined)
    done.abort()
  }
}

/** Opens the session of the worker. A killed process of the same name is dead to all after a lease. */
async function openWorkerSession({
  database,
  name,
  leaseMs,
  limit,
  fleetLimit,
  version,
  stop,
}: WorkerOptions) {
  const details = { limit, fleetLimit, version }
  const until = Date.now() + 1.5 * leaseMs
  while (!stop.aborted) {
    const session = await openSession(database, {
      id: name,
      kind: 'worker',
      holder: await thisProcess(),
      leaseMs,
      details,
    })
    if (session !== undefined || Date.now() > until) return session
    await delay(leaseMs / 10, undefined, { signal: stop }).catch(() => undefined)
  }
  return undefined
}

/** Starts the engine and the periodic tasks. */
async function startEngine(
  options: WorkerOptions,
  session: FleetSession,
  leaving: AbortSignal,
): Promise<Engine> {
  const { database, connection, name: worker, report, leaseMs, pollMs } = options
  const store = createRetryingStore(createFleetStore(database), { report, signal: leaving })
  const runs: RunsHere = new Map()
  const state = createStateBackend(database, { session: async () => session })
  const openManifest = async (order: Order): Promise<OpenedManifest> => {
    const found = await options.openManifest(order)
    return found.ok ? { ok: true, value: { ...found.value, state } } : found
  }
  const client = await openEngineClient(database, connection)
  await client.limit(options)
  const engine = await launchEngine({
    ...options,
    executor: worker,
    work: {
      apply: createSiteWork({ store, session, runs, worker, report, leaving, pollMs, openManifest }),
      rollout: createRolloutWork({ store, client, report, leaving }),
    },
    log: (level, said) => report({ type: 'engine-said', level, said }),
  })
  const watch = (everyMs: number, work: () => Promise<void>) =>
    void repeat(work, {
      everyMs,
      signal: leaving,
      failed: error => report({ type: 'engine-said', level: 'warn', said: describeError(error) }),
    })
  watch(leaseMs / 8, () => adoptOrphans({ database, session, engine, report }))
  watch(leaseMs / 4, async () => {
    for (const run of await store.runsToCancel()) runs.get(formatWorkflowId(run))?.abort()
  })
  return engine
}

/** Resolves when one of the signals is aborted. */
async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  if (!any.aborted) await once(any, 'abort')
}

/** Describes a failure: of the database with its reason, any other only by its kind. */
function describeError(error: unknown): string {
  return error instanceof DatabaseError
    ? describeDatabaseError(error)
    : `a watch failed (${(error as Error).name})`
}
