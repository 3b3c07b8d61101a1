import type { QueryRunner } from '../database/database-error.js'
import type { queues } from './queues.js'

/** Below the smallest priority of a submission. */
const topPriority = 0

/** A workflow that the engine has started and not ended. */
export interface UnfinishedWork {
  readonly id: string
  readonly queue: (typeof queues)[keyof typeof queues]
}

/** Lists the processes with unfinished work, alive or dead. Each worker queries it all the time, so it reads names only. */
export async function listBusyExecutors({ rows }: QueryRunner): Promise<readonly string[]> {
  const found = await rows(
    `select distinct executor_id as executor from dbos.workflow_status where status = 'PENDING' and executor_id is not null`,
  )
  return found.map(({ executor }) => executor as string)
}

/**
 * Returns the unfinished workflows of these processes, after raising their priority above all waiting ones: otherwise new
 * sites take the places of those of a dead worker. The engine itself changes priorities only of queued workflows, one at a
 * time, and each change can cost a worker that polls the queue at that moment its next polls.
 */
export async function prioritizeUnfinished(
  { rows }: QueryRunner,
  executors: readonly string[],
): Promise<readonly UnfinishedWork[]> {
  const found = await rows(
    `update dbos.workflow_status set priority = $2 where status = 'PENDING' and executor_id = any($1)
     returning workflow_uuid as id, queue_name as queue`,
    [executors, topPriority],
  )
  return found as unknown as readonly UnfinishedWork[]
}
