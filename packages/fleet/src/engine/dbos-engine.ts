import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '../database/database.js'
import type { Order, RunKey } from '../model/run.js'
import type { WorkflowSteps } from '../workflow/steps.js'
import { configureEngine, type EngineConfiguration } from './configure.js'
import { createDurableSteps, never } from './durable-steps.js'
import { removeText } from './engine-errors.js'
import { withEngineErrors } from './engine-failure.js'
import { launchExclusively } from './engine-tables.js'
import { queues } from './queues.js'
import { listBusyExecutors, prioritizeUnfinished } from './unfinished-work.js'

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
export interface Engine {
  /**
   * Returns unfinished work of these processes to the queues. They must be dead: a live one could not continue. Workflows that
   * only wait for a service, given by their ids, come after the others. Returns the number of workflows. Only one caller in the
   * whole fleet at a time.
   */
  adopt(executors: readonly string[], waiting?: readonly string[]): Promise<number>
  /** Lists the processes with unfinished work, alive or dead. */
  listBusyExecutors(): Promise<readonly string[]>
  /**
   * Starts no more steps, and waits until all have ended, or the time is up. Results of later steps are not recorded: the
   * process that takes over the work repeats them.
   */
  settle(waitMs: number): Promise<void>
  /** Resolves when no step is running, even after `settle` timed out. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Starts the engine, whose queues exist already. A process has one at a time. */
export async function launchEngine(options: EngineOptions): Promise<Engine> {
  const { work, log, database, ...others } = options
  const { steps, hasLeft, settle, idle } = createDurableSteps()
  DBOS.registerWorkflow((payload: Payload) => guardWorkflow(() => work.apply(payload, steps), hasLeft), {
    name: 'apply',
    maxRecoveryAttempts: 1_000_000,
  })
  DBOS.registerWorkflow((id: string) => guardWorkflow(() => work.rollout(id, steps), hasLeft), {
    name: 'rollout',
    maxRecoveryAttempts: 1_000_000,
  })
  const logUntilLeft: typeof log = (level, message) => {
    // After leaving, it warns about work that was left behind on purpose.
    if (!hasLeft()) log(level, message)
  }
  configureEngine({ ...others, pool: database.pool, log: logUntilLeft, from: Object.values(queues) })
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    // The engine continues the work of an earlier process with this name.
    await prioritizeUnfinished(database, [options.executor])
    await withEngineErrors(() => launchExclusively(database.pool))
  } catch (error) {
    await settle(0)
    await close()
    throw error
  }
  return {
    async adopt(executors, waiting) {
      const orphans = await prioritizeUnfinished(database, executors, waiting)
      for (const queueName of Object.values(queues)) {
        const ids = orphans.filter(({ queue }) => queue === queueName).map(({ id }) => id)
        if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName })
      }
      return orphans.length
    },
    listBusyExecutors,
    settle,
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
