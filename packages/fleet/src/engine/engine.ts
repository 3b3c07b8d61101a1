import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '../database/database.js'
import type { QueryRunner } from '../database/database-error.js'
import type { Order, RunKey } from '../model/run.js'
import type { WorkflowSteps } from '../workflow/run-ports.js'
import { createDurableSteps, never, removeText } from './durable-steps.js'
import {
  configureEngine,
  type EngineConfiguration,
  launchExclusively,
  queues,
  withEngineErrors,
} from './engine-setup.js'

/** The input that the engine stores; the rest is in our tables. */
export type Payload = Pick<Order, keyof RunKey | 'digest'>

/** The workflows of a worker. Both record their results in our tables, and reject only if the engine is to retry. */
export interface WorkflowHandlers {
  apply(payload: Payload, steps: WorkflowSteps): Promise<void>
  rollout(id: string, steps: WorkflowSteps): Promise<void>
}

export interface EngineOptions extends Omit<EngineConfiguration, 'from' | 'pool'> {
  readonly database: Database
  readonly work: WorkflowHandlers
}

/** The running engine, which starts queued work in this process until it is stopped. */
export type Engine = Awaited<ReturnType<typeof launchEngine>>

/** Starts the engine, whose queues exist already. A process has one at a time. */
export async function launchEngine({ work, log, database, ...others }: EngineOptions) {
  const { steps, hasLeft, settle, idle } = createDurableSteps()
  const register = <T>(name: string, handle: (input: T, steps: WorkflowSteps) => Promise<void>) =>
    DBOS.registerWorkflow((input: T) => guardWorkflow(() => handle(input, steps), hasLeft), {
      name,
      maxRecoveryAttempts: 1_000_000,
    })
  register('apply', work.apply)
  register('rollout', work.rollout)
  const logUntilLeft: typeof log = (level, message) => {
    // After leaving, it warns about work that was left behind on purpose.
    if (!hasLeft()) log(level, message)
  }
  const from = Object.values(queues)
  configureEngine({ ...others, pool: database.pool, log: logUntilLeft, from })
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    // The engine continues the work of an earlier process with this name.
    await prioritizeUnfinished(database, [others.executor])
    await withEngineErrors(() => launchExclusively(database.pool))
  } catch (error) {
    await settle(0)
    await close()
    throw error
  }
  return {
    /**
     * Returns unfinished work of these processes to the queues. They must be dead: a live one could not continue. Workflows that
     * only wait for a service, given by their ids, come after the others. Returns the number of workflows. Only one caller in the
     * whole fleet at a time.
     */
    async adopt(executors: readonly string[], waiting: readonly string[] = []): Promise<number> {
      const orphans = await prioritizeUnfinished(database, executors, waiting)
      for (const queueName of from) {
        const ids = orphans.filter(({ queue }) => queue === queueName).map(({ id }) => id)
        if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName })
      }
      return orphans.length
    },
    /** Lists the processes with unfinished work, alive or dead. Rejects with a `DatabaseError`. */
    async listBusyExecutors(): Promise<readonly string[]> {
      const unfinished = { status: 'PENDING', loadInput: false, loadOutput: false } as const
      const found = await withEngineErrors(() => DBOS.listWorkflows(unfinished))
      return [...new Set(found.flatMap(({ executorId }) => executorId ?? []))]
    },
    /** Starts no more steps, and waits until all have ended, or the time is up; the process that takes over repeats them. */
    settle,
    /** Resolves when no step is running, even after `settle` timed out. */
    idle,
    close,
  }
}

/**
 * Keeps the text of exceptions out of the tables of the engine, and records no end of a workflow after the worker has left.
 * The engine takes work from its queues until it is closed, and may take again what this worker has just returned.
 */
async function guardWorkflow(work: () => Promise<void>, hasLeft: () => boolean): Promise<void> {
  if (hasLeft()) return never()
  try {
    await work()
  } catch (error) {
    if (!hasLeft()) throw removeText(error)
  }
  if (hasLeft()) await never()
}

/** The columns of the engine's own table that `prioritizeUnfinished` reads and writes, with their types. */
export const touchedColumns = {
  executor_id: 'text',
  priority: 'integer',
  queue_name: 'text',
  status: 'text',
  workflow_uuid: 'text',
} as const

/** Both are below the smallest priority of a submission. */
const priorities = { inFlight: -1, waiting: 0 } as const

/**
 * Returns the unfinished workflows of these processes, and raises their priority above all that are queued: otherwise
 * new sites would go before the sites of a dead worker. Sites in `waiting` only wait for a service and go last: a request
 * of the others may be in flight. This is the only write to a table of the engine. Its API changes priorities only of
 * queued workflows, one at a time, and each change can make a polling worker miss its next polls. If a version changes
 * these columns, use `resumeWorkflows` with a separate queue, which takes a second limit per worker, or without a
 * priority, which lets waiting sites go first.
 */
async function prioritizeUnfinished(
  { rows }: QueryRunner,
  executors: readonly string[],
  waiting: readonly string[] = [],
) {
  return rows<{ readonly id: string; readonly queue: string }>(
    `update dbos.workflow_status set priority = case when workflow_uuid = any($2) then $3::integer else $4::integer end
     where status = 'PENDING' and executor_id = any($1) returning workflow_uuid as id, queue_name as queue`,
    [executors, waiting, priorities.waiting, priorities.inFlight],
  )
}
