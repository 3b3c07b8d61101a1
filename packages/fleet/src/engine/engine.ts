import { setTimeout as delay } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '../database/database.js'
import { formatWorkflowId, type RunKey } from '../model/run.js'
import {
  application,
  createEngineLogger,
  type EngineLog,
  engineAddress,
  launchExclusively,
  sitesQueue,
  withEngineErrors,
} from './engine-setup.js'

/** Maximum number of sites at once. */
export interface Limits {
  /** On each worker. */
  readonly limit: number
  /** On all workers together; none if absent. */
  readonly fleetLimit?: number
}

/** Workers take work of this version only: change it with the form of the input. */
const workflowVersion = 'landform-1'

export interface EngineOptions extends Limits {
  readonly database: Database
  /** The unique name of this process in the engine. */
  readonly executor: string
  readonly log: EngineLog
  /** Does the work of a run, and records its result. If it stops before, the next worker does it again. */
  apply(key: RunKey): Promise<void>
}

/** The running engine, which starts queued work in this process until it is stopped. */
export type Engine = Awaited<ReturnType<typeof launchEngine>>

/** Starts the engine, which sends nothing to its vendor. A process has one at a time. */
export async function launchEngine({ apply, database, executor, limit, fleetLimit, log }: EngineOptions) {
  const open = new Map<string, Promise<void>>()
  let hasLeft = false
  /** The engine takes work until it is closed, also what this worker has just returned, or is still doing. */
  const workUnlessLeft = async (key: RunKey) => {
    if (hasLeft) return never()
    const id = formatWorkflowId(key)
    const work = open.get(id) ?? apply(key)
    open.set(id, work)
    try {
      await work
    } catch {
      // The engine stores errors with all their properties, and one of a client may hold a request.
      if (!hasLeft) throw new Error('a run failed')
    } finally {
      open.delete(id)
    }
    if (hasLeft) await never()
  }
  DBOS.registerWorkflow(workUnlessLeft, { name: 'apply', maxRecoveryAttempts: 1_000_000 })
  DBOS.setConfig({
    name: application,
    applicationVersion: workflowVersion,
    executorID: executor,
    systemDatabaseUrl: engineAddress(database),
    systemDatabasePool: database.pool,
    // We use no notifications, and listening would keep a connection.
    useListenNotify: false,
    schedulerPollingIntervalMs: 3_600_000,
    // After leaving, it warns about work that was left behind on purpose.
    logger: createEngineLogger((level, message) => hasLeft || log(level, message)),
  })
  const settle = async (waitMs: number) => {
    hasLeft = true
    await Promise.race([Promise.allSettled(open.values()), delay(waitMs, undefined, { ref: false })])
  }
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    await withEngineErrors(() => launchExclusively(database.pool))
    // The most urgent site goes first, then the oldest. Our tables ensure that a site has one run at a time: a queue
    // partitioned by site would take them in any order.
    await withEngineErrors(() =>
      DBOS.registerQueue(sitesQueue, {
        workerConcurrency: Math.min(limit, fleetLimit ?? limit),
        ...(fleetLimit !== undefined && { globalConcurrency: fleetLimit }),
        onConflict: 'always_update',
      }),
    )
  } catch (error) {
    await settle(0)
    await close()
    throw error
  }
  return {
    share: (sites: number) =>
      withEngineErrors(async () => {
        const queue = await DBOS.retrieveQueue(sitesQueue)
        const most = Math.min(sites, queue?.concurrency ?? sites)
        if (queue !== null && queue.workerConcurrency !== most) await queue.setWorkerConcurrency(most)
      }),
    settle,
    close,
  }
}

const never = () => new Promise<never>(() => undefined)
