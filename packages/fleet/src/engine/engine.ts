import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '../database/database.js'
import type { QueryRunner } from '../database/database-error.js'
import type { RunKey } from '../model/run.js'
import {
  application,
  createEngineLogger,
  type EngineLog,
  engineAddress,
  hasEngineTables,
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
  /** Does the work of a run, and records its result. The next worker repeats what it left. */
  apply(key: RunKey): Promise<void>
}

/** The running engine, which starts queued work in this process until it is stopped. */
export type Engine = Awaited<ReturnType<typeof launchEngine>>

/** Starts the engine, which sends nothing to its vendor. A process has one at a time. */
export async function launchEngine({ apply, database, executor, limit, fleetLimit, log }: EngineOptions) {
  const open = new Set<Promise<void>>()
  let hasLeft = false
  /** The engine takes work from its queue until it is closed, and may take again what this worker has just returned. */
  const workUnlessLeft = async (key: RunKey) => {
    if (hasLeft) return never()
    const work = apply(key)
    const ended = work.catch(() => undefined)
    open.add(ended)
    try {
      await work
    } catch {
      // The engine stores errors with all their properties, and one of a client may hold a request.
      if (!hasLeft) throw new Error('a run failed')
    } finally {
      open.delete(ended)
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
    let timer: NodeJS.Timeout | undefined
    const late = new Promise(resolve => {
      timer = setTimeout(resolve, waitMs)
    })
    await Promise.race([Promise.all(open), late])
    clearTimeout(timer)
  }
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    // The engine continues the work of an earlier process with this name.
    if (await hasEngineTables(database)) await prioritizeUnfinished(database, [executor])
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
    /**
     * Returns unfinished work of these processes to the queue, and the number of its runs. They must be dead: a live one could
     * not continue. Only one caller in the whole fleet at a time.
     */
    async adopt(executors: readonly string[]): Promise<number> {
      const ids = await prioritizeUnfinished(database, executors)
      if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName: sitesQueue })
      return ids.length
    },
    /** Lists the processes with unfinished work, alive or dead. */
    async listBusyExecutors(): Promise<readonly string[]> {
      const sql = `select distinct executor_id as id from dbos.workflow_status where status = 'PENDING'`
      return (await database.rows<{ id: string }>(sql)).map(({ id }) => id)
    },
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

/** Both are below the smallest priority of a submission. */
const priorities = { inFlight: -1, waiting: 0 } as const

/**
 * Raises the priority of the unfinished workflows of these processes above all that are queued, and returns their ids:
 * otherwise new sites would go before the sites of a dead worker. Those that only wait for a service go last: a request
 * of the others may be in flight. This is the only write to a table of the engine. Its API changes priorities only of
 * queued workflows, one at a time, and each change can make a polling worker miss its next polls. If a version changes
 * these columns, use `resumeWorkflows` with a separate queue, which takes a second limit per worker, or without a
 * priority, which lets waiting sites go first.
 */
async function prioritizeUnfinished({ rows }: QueryRunner, executors: readonly string[]) {
  const found = await rows<{ readonly id: string }>(
    `update dbos.workflow_status set priority = case when workflow_uuid in
       (select 'apply:' || site || ':' || generation from landform.run where state = 'running' and phase = 'wait')
       then $2::integer else $3::integer end
     where status = 'PENDING' and executor_id = any($1) returning workflow_uuid as id`,
    [executors, priorities.waiting, priorities.inFlight],
  )
  return found.map(({ id }) => id)
}
