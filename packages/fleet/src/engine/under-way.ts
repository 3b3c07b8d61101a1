import type { Asking } from '../database/database-error.js'
import type { queues } from './queues.js'

/** Smaller than what a submission may ask for. */
const beforeAll = 0

/** A piece of work that the engine has begun and not ended. */
export interface UnderWay {
  readonly id: string
  readonly queue: (typeof queues)[keyof typeof queues]
}

/** Everybody who has work under way, alive or dead. Each worker asks for it all the time, and wants no more than the names. */
export async function busyExecutors({ rows }: Asking): Promise<readonly string[]> {
  const found = await rows(
    `select distinct executor_id as executor from dbos.workflow_status where status = 'PENDING' and executor_id is not null`,
  )
  return found.map(({ executor }) => executor as string)
}

/**
 * What these have under way, which from now on goes before all that waits: else sites that nobody has begun take the places
 * of those of a dead worker, and these wait until those have ended. The engine itself takes a priority only of what is in a
 * queue, one at a time, and each change there can cost a worker that looks into the queue at that moment its next looks.
 */
export async function broughtForward(
  { rows }: Asking,
  executors: readonly string[],
): Promise<readonly UnderWay[]> {
  const found = await rows(
    `update dbos.workflow_status set priority = $2 where status = 'PENDING' and executor_id = any($1)
     returning workflow_uuid as id, queue_name as queue`,
    [executors, beforeAll],
  )
  return found as unknown as readonly UnderWay[]
}
