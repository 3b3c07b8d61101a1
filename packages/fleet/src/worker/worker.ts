import { setTimeout as delay } from 'node:timers/promises'
import { thisProcess } from '../../../../src/state/process-identity.js'
import type { Database } from '../database/database.js'
import { DatabaseError } from '../database/database-error.js'
import { fleetStore } from '../database/fleet-store.js'
import { reasonOf } from '../database/reason.js'
import { openSession, type Session } from '../database/session.js'
import { type Engine, launchEngine } from '../engine/dbos-engine.js'
import { openEngineClient } from '../engine/engine-client.js'
import type { Limits } from '../engine/queues.js'
import type { Order } from '../model/run.js'
import type { Tell } from '../model/worker-event.js'
import { stateIn } from '../state/postgres-backend.js'
import type { OpenedManifest } from '../workflow/run-ports.js'
import { again } from './again.js'
import { gate } from './gate.js'
import { adoptOrphans, giveBack } from './orphans.js'
import { patientStore } from './patient-store.js'
import { rolloutWork } from './rollout-work.js'
import { runsHere } from './runs-here.js'
import { siteWork } from './site-work.js'

/** The options of a worker. */
export interface WorkerOptions extends Limits {
  /** The name of the worker; only one process has it at a time. */
  readonly name: string
  readonly leaseMs: number
  readonly version: string
  readonly database: Database
  /** For the engine. */
  readonly connection: string
  readonly tell: Tell
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
const patienceMs = 20_000

/**
 * Works on sites until it is stopped or loses its lease. After a lost lease it must not touch any site: the process must
 * end. Rejects with a `DatabaseError` if its database is unreachable at the start or the end; then nothing of it continues.
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { tell: report, name } = options
  const session = await sessionOf(options)
  if (session === undefined) return 'refused'
  const leaving = new AbortController()
  const openGate = gate(session, () => {
    report({ type: 'lease-lost', why: `${name} was suspended for longer than its lease` })
    options.leave()
  })
  const starting = engineFor(options, session, leaving.signal)
  const context = { session, starting, leaving, openGate }
  try {
    return await workUntilTold(options, context)
  } catch (error) {
    await abandon(context)
    throw error
  }
}

interface Surroundings {
  readonly session: Session
  readonly starting: Promise<Engine>
  readonly leaving: AbortController
  openGate(): void
}

async function workUntilTold(
  { tell: report, stop, name, limit, version, database }: WorkerOptions,
  { session, starting, leaving, openGate }: Surroundings,
): Promise<WorkerEnd> {
  const engine = await startedBefore(stop, starting)
  report({ type: 'worker-started', limit, version, database: database.where })
  const isLost = await firstOf(session.lost, stop)
  leaving.abort()
  if (isLost) {
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
  await engine.settle(patienceMs)
  // Sites first: a process that starts the returned work finds them free.
  await inTime(session.close())
  await inTime(giveBack({ database, session, engine }))
  await inTime(engine.close())
  openGate()
  report({ type: 'worker-stopped' })
  return 'stopped'
}

/**
 * Releases everything that can be released without a database: other processes find the session dead and take over its
 * work.
 */
async function abandon({ session, starting, leaving, openGate }: Surroundings): Promise<void> {
  leaving.abort()
  const closed = starting.then(
    async engine => {
      await engine.settle(0)
      await engine.close()
    },
    () => undefined,
  )
  const ignored = () => undefined
  await Promise.all([inTime(closed).catch(ignored), inTime(session.close()).catch(ignored)])
  openGate()
}

/** Waits for the engine to start; a worker that is stopped earlier does not wait for an unreachable database. */
async function startedBefore(stop: AbortSignal, starting: Promise<Engine>): Promise<Engine> {
  const forget = new AbortController()
  const told = new Promise<undefined>(resolve => {
    const decide = () => resolve(undefined)
    stop.addEventListener('abort', decide, { once: true, signal: forget.signal })
    if (stop.aborted) decide()
  })
  const first = await Promise.race([starting, told]).finally(() => forget.abort())
  return first ?? inTime(starting)
}

/** Limits a wait: an unreachable database may never respond. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(patienceMs, undefined, { signal: done.signal }).then(() => {
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
async function sessionOf({ database, name, leaseMs, limit, fleetLimit, version, stop }: WorkerOptions) {
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

/** Starts the engine, and the periodic tasks beside it. */
async function engineFor(options: WorkerOptions, session: Session, leaving: AbortSignal): Promise<Engine> {
  const { database, connection, name: worker, tell: report, leaseMs, pollMs } = options
  const store = patientStore(fleetStore(database), { tell: report, signal: leaving })
  const runs = runsHere()
  const state = stateIn(database, { session: async () => session })
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
      apply: siteWork({ store, session, runs, worker, tell: report, leaving, pollMs, openManifest }),
      rollout: rolloutWork({ store, client, tell: report, leaving }),
    },
    log: (level, said) => report({ type: 'engine-said', level, said }),
  })
  const watch = (everyMs: number, work: () => Promise<void>) =>
    void again(work, {
      everyMs,
      signal: leaving,
      failed: error => report({ type: 'engine-said', level: 'warn', said: said(error) }),
    })
  watch(leaseMs / 8, () => adoptOrphans({ database, session, engine, tell: report }))
  watch(leaseMs / 4, async () => runs.cancel(await store.toCancel()))
  return engine
}

/** Resolves with true if the first signal was aborted first. */
function firstOf(one: AbortSignal, other: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const decide = () => resolve(one.aborted)
    if (one.aborted || other.aborted) return decide()
    one.addEventListener('abort', decide, { once: true })
    other.addEventListener('abort', decide, { once: true })
  })
}

/** Describes a failure: of the database with its reason, any other only by its kind. */
function said(error: unknown): string {
  return error instanceof DatabaseError ? reasonOf(error) : `a watch failed (${(error as Error).name})`
}
