import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { thisProcess } from 'landform/state'
import { advisoryLocks, type Database } from '../database/database.js'
import { DatabaseError, describeDatabaseError } from '../database/database-error.js'
import { createFleetStore } from '../database/fleet-store.js'
import { type FleetSession, openSession } from '../database/session.js'
import { readLoad } from '../database/view.js'
import { launchEngine } from '../engine/engine.js'
import { formatWorkflowId, type Order } from '../model/run.js'
import { createStateBackend } from '../state/postgres-backend.js'
import type { OpenedManifest } from '../workflow/run-ports.js'
import type { ReportWorkerEvent } from './log.js'
import { advanceRollouts, createSiteWork, type RunsHere } from './site-work.js'

export interface WorkerOptions {
  /** Maximum number of sites at once. */
  readonly limit: number
  /** Maximum number of sites of all workers together. Default: no limit. */
  readonly fleetLimit?: number
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

/** The end of a worker: it was stopped, another process has its name, or it lost its lease. */
type WorkerEnd = 'stopped' | 'refused' | 'lost'

/** Maximum waits of a leaving worker: for requests in flight, which have 30 seconds, and for its database. */
const [settleMs, maxWaitMs] = [35_000, 20_000]

/**
 * Works on sites until it is stopped or loses its lease. After a lost lease, the process must end, because it must not call
 * any site. Rejects with a `DatabaseError` if the database is unreachable at the start or the end; its work has ended by
 * then.
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
    const closed = starting.then(engine => engine.close())
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
    // Not awaited, because the process must end before it calls a site again. If it does not end, the gate stays closed
    // until no run is left.
    void engine.leave().then(openGate, openGate)
    report({ type: 'lease-lost', why: `other workers declared ${name} dead` })
    return 'lost'
  }
  report({ type: 'worker-stopping', signal: String(stop.reason) })
  await engine.leave()
  // Releases the sites first, so a process that starts the returned runs finds them free.
  await limitWait(session.close())
  await limitWait(engine.store.requeueOrphans())
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
  const { database, report, leaseMs, pollMs } = options
  const { executor } = session
  const store = createFleetStore(database)
  const runs: RunsHere = new Map()
  const state = createStateBackend(database, { session: async () => session })
  const openManifest = async (order: Order): Promise<OpenedManifest> => {
    const found = await options.openManifest(order)
    return found.ok ? { ok: true, value: { ...found.value, state } } : found
  }
  const apply = createSiteWork({ store, session, state, runs, report, leaving, pollMs, openManifest })
  const engine = await launchEngine({ database, executor, apply })
  const adopt = async () => {
    await session.removeDead()
    for (const { executor: from, runs: count } of await store.requeueOrphans())
      report({ type: 'runs-adopted', from: from.replace(/\/.*/, ''), runs: count })
  }
  const readQueued = async () => ({ runs: await store.queuedRuns(), load: await readLoad(database) })
  /** Does nothing while another process fills the queue. */
  const fillQueue = async () => {
    const hasTables = await database.transaction(async runner => {
      const [row] = await runner.rows('select pg_try_advisory_xact_lock($1) as alone', [advisoryLocks.queue])
      return row?.['alone'] === true ? engine.derive(readQueued) : true
    })
    if (!hasTables) await engine.createTables()
  }
  const watch = async () => {
    await adopt()
    await advanceRollouts(store, report)
    await fillQueue()
    for (const run of await store.runsToCancel()) runs.get(formatWorkflowId(run))?.abort()
    report({ type: 'database-restored' })
  }
  const reportFailure = (error: unknown) => {
    if (error instanceof DatabaseError)
      return report({ type: 'database-failed', why: describeDatabaseError(error), code: error.code })
    report({ type: 'watch-failed', error: (error as Error).name })
  }
  const repeatWatch = async () => {
    while (!leaving.aborted) {
      await watch().catch(error => leaving.aborted || reportFailure(error))
      await delay(leaseMs / 8, undefined, { signal: leaving }).catch(() => undefined)
    }
  }
  const watching = repeatWatch()
  return {
    store,
    close: engine.close,
    /** Takes no more work, and waits for requests in flight. */
    async leave() {
      await Promise.allSettled([watching, engine.close()].map(limitWait))
      await Promise.race([engine.settled(), delay(settleMs, undefined, { ref: false })])
    },
  }
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

async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  if (!any.aborted) await once(any, 'abort')
}
