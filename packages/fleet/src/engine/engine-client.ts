import { randomUUID } from 'node:crypto'
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Database } from '../database/database.js'
import { formatWorkflowId, type Order, type RunKey } from '../model/run.js'
import { configureEngine } from './configure.js'
import { formatEngineAddress } from './engine-address.js'
import { withEngineErrors } from './engine-failure.js'
import { createEngineLogger } from './engine-log.js'
import { hasEngineTables, launchExclusively } from './engine-tables.js'
import { application, buildSitesQueue, type Limits, queues } from './queues.js'

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
