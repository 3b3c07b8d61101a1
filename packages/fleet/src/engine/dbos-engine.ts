import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '../database/database.js'
import type { Order, RunKey } from '../model/run.js'
import type { Steps } from '../workflow/steps.js'
import { configureEngine, type EngineConfiguration } from './configure.js'
import { durableSteps, never } from './durable-steps.js'
import { overDatabase } from './engine-failure.js'
import { launchAlone } from './engine-tables.js'
import { queues } from './queues.js'
import { broughtForward, busyExecutors } from './under-way.js'
import { withoutText } from './without-text.js'

/** All that the engine keeps of what it is to do; the rest is in our tables. */
export type Payload = Pick<Order, keyof RunKey | 'digest'>

/** What a worker does. Both tell how it went in our tables, and reject only where the engine is to try again. */
export interface Work {
  apply(payload: Payload, steps: Steps): Promise<void>
  rollout(id: string, steps: Steps): Promise<void>
}

export interface EngineOptions extends Omit<EngineConfiguration, 'from' | 'pool'> {
  readonly database: Database
  readonly work: Work
}

/** The engine, which begins work of its queues in this process until it is stopped. */
export interface Engine {
  /**
   * Takes what these processes had, and never ended, back into the queues. They must be dead: one that is alive could
   * not go on. Returns how many there were. One caller in the whole fleet at a time.
   */
  adopt(executors: readonly string[]): Promise<number>
  /** Everybody who has work under way, alive or dead. */
  busyExecutors(): Promise<readonly string[]>
  /**
   * Begins nothing more, and waits until no step is between its begin and its end, or the time is up. Nothing is noted of
   * steps that end from now on: whoever takes the work over does them again.
   */
  settle(patienceMs: number): Promise<void>
  /** Resolves once no step is under way, also where `settle` did not wait for that. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Launches the engine, whose queues are there already. One of a process at a time. */
export async function launchEngine(options: EngineOptions): Promise<Engine> {
  const { work, log, database, ...others } = options
  const { steps, hasLeft, settle, idle } = durableSteps()
  DBOS.registerWorkflow((payload: Payload) => guarded(() => work.apply(payload, steps), hasLeft), {
    name: 'apply',
    maxRecoveryAttempts: 1_000_000,
  })
  DBOS.registerWorkflow((id: string) => guarded(() => work.rollout(id, steps), hasLeft), {
    name: 'rollout',
    maxRecoveryAttempts: 1_000_000,
  })
  const logUntilLeft: typeof log = (level, message) => {
    // From then on it complains of what was left behind on purpose.
    if (!hasLeft()) log(level, message)
  }
  configureEngine({ ...others, pool: database.pool, log: logUntilLeft, from: Object.values(queues) })
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    // The engine goes on by itself with what a process of this name had before.
    await broughtForward(database, [options.executor])
    await overDatabase(() => launchAlone(database.pool))
  } catch (error) {
    await settle(0)
    await close()
    throw error
  }
  return {
    async adopt(executors) {
      const orphans = await broughtForward(database, executors)
      for (const queueName of Object.values(queues)) {
        const ids = orphans.filter(({ queue }) => queue === queueName).map(({ id }) => id)
        if (ids.length > 0) await DBOS.resumeWorkflows(ids, { queueName })
      }
      return orphans.length
    },
    busyExecutors: () => busyExecutors(database),
    settle,
    idle,
    close,
  }
}

/**
 * Lets no text of an exception into the tables of the engine, and once the worker has left no end of a workflow at all. The
 * engine takes from its queues until it is closed, and may take again what this worker has just given back.
 */
async function guarded(work: () => Promise<void>, hasLeft: () => boolean): Promise<void> {
  if (hasLeft()) return never()
  try {
    await work()
  } catch (error) {
    if (!hasLeft()) throw withoutText(error)
  }
  if (hasLeft()) await never()
}
