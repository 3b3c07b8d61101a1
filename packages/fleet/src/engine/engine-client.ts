import { randomUUID } from 'node:crypto'
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Database } from '../database/database.js'
import { formatWorkflowId, type Order, type RunKey } from '../model/run.js'
import {
  application,
  configureEngine,
  createEngineLogger,
  formatEngineAddress,
  hasEngineTables,
  launchExclusively,
  queues,
  withEngineErrors,
} from './engine-setup.js'

/** Maximum number of sites at once. */
export interface Limits {
  /** On each worker. */
  readonly limit: number
  /** On all workers together; none if absent. */
  readonly fleetLimit?: number
}

/** Returns the name of the workflow of a rollout. */
export const formatRolloutId = (rollout: string) => `rollout:${rollout}`

/** The operations of the engine for commands and workers. */
export type EngineClient = Awaited<ReturnType<typeof openEngineClient>>

/** Opens a client of the engine, and creates its tables if there are none. It connects through the pool of the database. */
export async function openEngineClient(database: Database, connection: string) {
  const { pool } = database
  if (!(await hasEngineTables(database))) await createTables(pool, connection)
  const client = await withEngineErrors(() =>
    DBOSClient.create({
      systemDatabaseUrl: formatEngineAddress(connection),
      systemDatabasePool: pool,
      applicationName: application,
      logger: createEngineLogger(() => undefined),
    }),
  )
  const toQueue = (rollout: string) => ({
    queueName: queues.rollouts,
    workflowName: 'rollout',
    workflowID: formatRolloutId(rollout),
  })
  return {
    /** Queues a rollout for the workers, in a transaction of the caller. */
    async enqueueRollout(transaction: pg.ClientBase, rollout: string) {
      await client.enqueueInTransaction(transaction, toQueue(rollout), rollout)
    },
    /** Continues a rollout that has ended or was stopped. */
    async resumeRollout(rollout: string) {
      const id = formatRolloutId(rollout)
      const [found] = await client.listWorkflows({ workflowIDs: [id], loadInput: false, loadOutput: false })
      const isOpen = found === undefined || ['PENDING', 'ENQUEUED', 'DELAYED'].includes(found.status)
      if (isOpen) await client.enqueue(toQueue(rollout), rollout)
      else await client.rewindWorkflow(id, { queueName: queues.rollouts })
    },
    /** Queues a run for the workers, in a transaction of the caller. */
    async enqueueRun(
      transaction: pg.ClientBase,
      { site, generation, digest, priority }: Pick<Order, 'site' | 'generation' | 'digest' | 'priority'>,
    ) {
      const workflowID = formatWorkflowId({ site, generation })
      const options = { queueName: queues.sites, workflowName: 'apply', workflowID, priority }
      await client.enqueueInTransaction(transaction, options, { site, generation, digest })
    },
    /** Removes queued runs that no worker has started. */
    async withdraw(keys: readonly RunKey[]) {
      if (keys.length > 0) await client.cancelWorkflows(keys.map(formatWorkflowId))
    },
    /**
     * Creates the queues, and sets the limits of all workers from now on. The most urgent site goes first, then the oldest. Our
     * tables ensure that a site has one run at a time: a queue partitioned by site would take them in any order.
     */
    limit: ({ limit, fleetLimit }: Limits) =>
      withEngineErrors(async () => {
        await client.registerQueue(queues.rollouts, { onConflict: 'always_update' })
        await client.registerQueue(queues.sites, {
          workerConcurrency: Math.min(limit, fleetLimit ?? limit),
          ...(fleetLimit !== undefined && { globalConcurrency: fleetLimit }),
          onConflict: 'always_update',
        })
      }),
    /** Sets the number of sites that each worker may have at present. */
    share: (sites: number) =>
      withEngineErrors(async () => {
        const queue = await client.retrieveQueue(queues.sites)
        const most = Math.min(sites, queue?.concurrency ?? sites)
        if (queue !== null && queue.workerConcurrency !== most) await queue.setWorkerConcurrency(most)
      }),
    /** Deletes the records of ended workflows. */
    deleteWorkflows: (ids: readonly string[]) => client.deleteWorkflows([...ids]),
    close: () => client.destroy(),
  }
}

/** Creates the tables of the engine by starting it once, without taking work from any queue. */
async function createTables(pool: pg.Pool, connection: string): Promise<void> {
  const executor = `tables-${randomUUID()}`
  configureEngine({ connection, pool, executor, log: () => undefined, from: ['none'] })
  try {
    await withEngineErrors(() => launchExclusively(pool))
  } finally {
    await DBOS.shutdown()
  }
}
