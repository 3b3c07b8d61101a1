import { DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Database } from '../database/database.js'
import type { QueryRunner } from '../database/database-error.js'
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
  const requeue = (ids: readonly string[]) =>
    withEngineErrors(() => client.resumeWorkflows([...ids], { queueName: sitesQueue }))
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
    /** Lists the processes with unfinished work, alive or dead. */
    async listBusyExecutors(): Promise<readonly string[]> {
      const sql = `select distinct executor_id as id from dbos.workflow_status where status = 'PENDING'`
      return (await database.rows<{ id: string }>(sql)).map(({ id }) => id)
    },
    /** Lists the unfinished workflows of a process, except for these. */
    async listUnfinished(executor: string, known: readonly string[]): Promise<readonly string[]> {
      const sql = `select workflow_uuid as id from dbos.workflow_status
        where status = 'PENDING' and executor_id = $1 and workflow_uuid <> all($2)`
      return (await database.rows<{ id: string }>(sql, [executor, known])).map(({ id }) => id)
    },
    /**
     * Returns unfinished work of these processes to the queue, and the number of its runs. They must be dead: a live one could
     * not continue. Only one caller in the whole fleet at a time.
     */
    async adopt(executors: readonly string[]): Promise<number> {
      const ids = await prioritizeUnfinished(database, executors)
      await requeue(ids)
      return ids.length
    },
    requeue,
    deleteRuns: (keys: readonly RunKey[]) => client.deleteWorkflows(keys.map(formatWorkflowId)),
    close: () => client.destroy(),
  }
}

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
