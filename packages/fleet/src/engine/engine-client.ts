import { DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Database } from '../database/database.js'
import { formatWorkflowId, type Order, type RunKey } from '../model/run.js'
import {
  application,
  createEngineLogger,
  engineAddress,
  hasEngineTables,
  sitesQueue,
  withEngineErrors,
} from './engine-setup.js'

/** The operations of the engine that need no running one. */
export type EngineClient = Awaited<ReturnType<typeof createEngineClient>>

/** Does work with the engine; nothing before the first worker has created its tables, because then it has no work. */
export async function withEngine(
  database: Database,
  work: (engine: EngineClient) => Promise<void>,
): Promise<void> {
  if (!(await hasEngineTables(database))) return
  const engine = await createEngineClient(database)
  try {
    await work(engine)
  } finally {
    await engine.close()
  }
}

/** Creates a client, which connects through the pool of the database. */
export async function createEngineClient(database: Database) {
  const client = await withEngineErrors(() =>
    DBOSClient.create({
      systemDatabaseUrl: engineAddress(database),
      systemDatabasePool: database.pool,
      applicationName: application,
      logger: createEngineLogger(() => undefined),
    }),
  )
  return {
    async enqueueRun(
      transaction: pg.ClientBase,
      { site, generation, priority }: Pick<Order, keyof RunKey | 'priority'>,
    ) {
      const workflowID = formatWorkflowId({ site, generation })
      const options = { queueName: sitesQueue, workflowName: 'apply', workflowID, priority }
      await client.enqueueInTransaction(transaction, options, { site, generation })
    },
    async withdraw(keys: readonly RunKey[]) {
      if (keys.length > 0) await client.cancelWorkflows(keys.map(formatWorkflowId))
    },
    deleteRuns: (keys: readonly RunKey[]) => client.deleteWorkflows(keys.map(formatWorkflowId)),
    close: () => client.destroy(),
  }
}
