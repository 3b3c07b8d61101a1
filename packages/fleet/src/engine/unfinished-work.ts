import { DBOS } from '@dbos-inc/dbos-sdk'
import type { QueryRunner } from '../database/database-error.js'
import { withEngineErrors } from './engine-failure.js'
import type { queues } from './queues.js'

/** Both are below the smallest priority of a submission. */
const priorities = { inFlight: -1, waiting: 0 } as const

/** A workflow that the engine has started and not ended. */
export interface UnfinishedWork {
  readonly id: string
  readonly queue: (typeof queues)[keyof typeof queues]
}

/** Lists the processes with unfinished work, alive or dead. Rejects with a `DatabaseError`. */
export async function listBusyExecutors(): Promise<readonly string[]> {
  const unfinished = { status: 'PENDING', loadInput: false, loadOutput: false } as const
  const found = await withEngineErrors(() => DBOS.listWorkflows(unfinished))
  return [...new Set(found.flatMap(({ executorId }) => executorId ?? []))]
}

/** The columns of the engine's own table that `prioritizeUnfinished` reads and writes, with their types. */
export const touchedColumns = {
  executor_id: 'text',
  priority: 'integer',
  queue_name: 'text',
  status: 'text',
  workflow_uuid: 'text',
} as const

/**
 * Returns the unfinished workflows of these processes, and raises their priority above all that are queued: otherwise
 * new sites would go before the sites of a dead worker. Sites in `waiting` only wait for a service and go last: a request
 * of the others may be in flight. This is the only write to a table of the engine. Its API changes priorities only of
 * queued workflows, one at a time, and each change can make a polling worker miss its next polls. If a version changes
 * these columns, use `resumeWorkflows` with a separate queue, which takes a second limit per worker, or without a
 * priority, which lets waiting sites go first.
 */
export async function prioritizeUnfinished(
  { rows }: QueryRunner,
  executors: readonly string[],
  waiting: readonly string[] = [],
): Promise<readonly UnfinishedWork[]> {
  return rows<UnfinishedWork>(
    `update dbos.workflow_status set priority = case when workflow_uuid = any($2) then $3::integer else $4::integer end
     where status = 'PENDING' and executor_id = any($1) returning workflow_uuid as id, queue_name as queue`,
    [executors, waiting, priorities.waiting, priorities.inFlight],
  )
}
