import { randomUUID } from 'node:crypto'
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Database } from '../database/database.js'
import { formatWorkflowId, type Order, type RunKey } from '../model/run.js'
import {
  configureEngine,
  createEngineLogger,
  hasEngineTables,
  launchExclusively,
  withEngineErrors,
} from './engine.js'

type QueuedRun = Pick<Order, 'site' | 'generation' | 'digest' | 'priority'>

/** Returns the name of the workflow of a rollout. */
export const formatRolloutId = (rollout: string) => `rollout:${rollout}`

/** The operations of the engine for commands and workers. */
export type EngineClient = Awaited<ReturnType<typeof openEngineClient>>

/** Opens a client of the engine, and creates its tables if there are none. It connects through the pool of the database. */
export async function openEngineClient(database: Database, connection: string) {
  await createTables(database, connection)
  const client = await withEngineErrors(() =>
    DBOSClient.create({
      systemDatabaseUrl: formatEngineAddress(connection),
      systemDatabasePool: database.pool,
      applicationName: application,
      logger: createEngineLogger(() => undefined),
    }),
  )
  const rolloutOptions = (rollout: string) => ({
    queueName: queues.rollouts,
    workflowName: 'rollout',
    workflowID: formatRolloutId(rollout),
  })
  return {
    /** Queues a rollout for the workers, in a transaction of the caller. */
    async enqueueRollout(transaction: pg.ClientBase, rollout: string) {
      await client.enqueueInTransaction(transaction, rolloutOptions(rollout), rollout)
    },
    /** Continues a rollout that has ended or was stopped. */
    async resumeRollout(rollout: string) {
      const id = formatRolloutId(rollout)
      if (await hasEnded(client, id)) await client.rewindWorkflow(id, { queueName: queues.rollouts })
      else await client.enqueue(rolloutOptions(rollout), rollout)
    },
    /** Queues a run for the workers, in a transaction of the caller. */
    async enqueueRun(transaction: pg.ClientBase, { site, generation, digest, priority }: QueuedRun) {
      const workflowID = formatWorkflowId({ site, generation })
      const options = { queueName: queues.sites, workflowName: 'apply', workflowID, priority }
      await client.enqueueInTransaction(transaction, options, { site, generation, digest })
    },
    /** Removes queued runs that no worker has started. */
    async withdraw(keys: readonly RunKey[]) {
      if (keys.length > 0) await client.cancelWorkflows(keys.map(formatWorkflowId))
    },
    /** Creates the queues, and sets the concurrency limits of all workers from now on. */
    limit: (limits: Limits) =>
      withEngineErrors(async () => {
        await client.registerQueue(queues.rollouts, { onConflict: 'always_update' })
        await client.registerQueue(queues.sites, buildSitesQueue(limits))
      }),
    /** Sets the number of sites that each worker may have at present. */
    async share(sites: number) {
      const queue = await withEngineErrors(() => client.retrieveQueue(queues.sites))
      if (queue !== null && queue.workerConcurrency !== sites)
        await withEngineErrors(() => queue.setWorkerConcurrency(sites))
    },
    /** Deletes the records of ended workflows. */
    deleteWorkflows: (ids: readonly string[]) => client.deleteWorkflows([...ids]),
    close: () => client.destroy(),
  }
}

async function hasEnded(client: DBOSClient, id: string): Promise<boolean> {
  const [found] = await client.listWorkflows({ workflowIDs: [id], loadInput: false, loadOutput: false })
  return found !== undefined && !['PENDING', 'ENQUEUED', 'DELAYED'].includes(found.status)
}

/** Creates the tables of the engine by starting it once, without taking work from any queue. */
async function createTables(database: Database, connection: string): Promise<void> {
  if (await hasEngineTables(database)) return
  const executor = `tables-${randomUUID()}`
  configureEngine({ connection, pool: database.pool, executor, log: () => undefined, from: ['none'] })
  try {
    await withEngineErrors(() => launchExclusively(database.pool))
  } finally {
    await DBOS.shutdown()
  }
}

/** The name of our application in the engine. */
export const application = 'landform'

/**
 * The version of the workflows; changed with the names or the order of their steps: only workers of the same version
 * continue a workflow.
 */
export const workflowVersion = 'landform-1'

/** The queues of the engine. */
export const queues = { sites: 'sites', rollouts: 'rollouts' } as const

/** Maximum number of sites at once. */
export interface Limits {
  /** On each worker. */
  readonly limit: number
  /** On all workers together; none if absent. */
  readonly fleetLimit?: number
}

/** Not exported by the package. */
type QueueOptions = NonNullable<Parameters<DBOSClient['registerQueue']>[1]>

/**
 * Returns the options of the sites queue: the most urgent site first, then the oldest, within the limits. Our tables ensure
 * that a site has one run at a time: a queue partitioned by site would take them in any order, and with a fleet limit would
 * query each of them at every poll.
 */
export function buildSitesQueue({ limit, fleetLimit }: Limits): QueueOptions {
  return {
    workerConcurrency: Math.min(limit, fleetLimit ?? limit),
    ...(fleetLimit !== undefined && { globalConcurrency: fleetLimit }),
    onConflict: 'always_update',
  }
}

/**
 * Formats the connection string for the engine. The engine parses it and shows it in messages, but connects through our
 * pool, so it gets no password.
 */
export function formatEngineAddress(connection: string): string {
  const { hostname, port, pathname } = new URL(connection)
  return `postgresql://landform@${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
