import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Order, RunKey } from '../model/run.js'
import type { Steps } from '../workflow/steps.js'
import { configureEngine, type EngineConfiguration } from './configure.js'
import { durableSteps, never } from './durable-steps.js'
import { launchAlone } from './engine-tables.js'
import { queues } from './queues.js'
import { withoutText } from './without-text.js'

/** All that the engine keeps of what it is to do; the rest is in our tables. */
export type Payload = Pick<Order, keyof RunKey | 'digest'>

/** What a worker does. Both tell how it went in our tables, and reject only where the engine is to try again. */
export interface Work {
  apply(payload: Payload, steps: Steps): Promise<void>
  rollout(id: string, steps: Steps): Promise<void>
}

export interface EngineOptions extends Omit<EngineConfiguration, 'from'> {
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
  close(): Promise<void>
}

/** Launches the engine, whose queues are there already. One of a process at a time. */
export async function launchEngine(options: EngineOptions): Promise<Engine> {
  const { work, log, ...others } = options
  const { steps, settle } = durableSteps()
  let isLeft = false
  const hasLeft = () => isLeft
  DBOS.registerWorkflow((payload: Payload) => guarded(work.apply(payload, steps), hasLeft), {
    name: 'apply',
    maxRecoveryAttempts: 1_000_000,
  })
  DBOS.registerWorkflow((id: string) => guarded(work.rollout(id, steps), hasLeft), {
    name: 'rollout',
    maxRecoveryAttempts: 1_000_000,
  })
  const logUntilLeft: typeof log = (level, message) => {
    // From then on it complains of what was left behind on purpose.
    if (!isLeft) log(level, message)
  }
  configureEngine({ ...others, log: logUntilLeft, from: Object.values(queues) })
  await launchAlone(options.pool)
  return {
    async adopt(executors) {
      if (executors.length === 0) return 0
      const orphans = await pending([...executors])
      for (const queueName of [queues.sites, queues.rollouts]) {
        const ids = orphans.filter(orphan => orphan.queueName === queueName).map(orphan => orphan.workflowID)
        await toTheFront(ids, queueName)
      }
      return orphans.length
    },
    async busyExecutors() {
      return [...new Set((await pending()).flatMap(({ executorId }) => executorId ?? []))]
    },
    settle(patienceMs) {
      isLeft = true
      return settle(patienceMs)
    },
    close: () => DBOS.shutdown({ deregister: true }),
  }
}

/** Smaller than what a submission may ask for. */
const beforeAll = 0
const atOnce = 20

/**
 * Puts work back into its queue, before all that waits: else sites that nobody has begun take the places of these, and these
 * wait until those have ended. The engine takes a priority only of what is in a queue, so few are put there at a time.
 */
async function toTheFront(ids: readonly string[], queueName: string): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce)
    await DBOS.resumeWorkflows(some, { queueName })
    await Promise.all(some.map(id => DBOS.setWorkflowPriority(id, beforeAll)))
  }
}

function pending(executorId?: string[]) {
  return DBOS.listWorkflows({
    status: 'PENDING',
    ...(executorId && { executorId }),
    loadInput: false,
    loadOutput: false,
  })
}

/** Lets no text of an exception into the tables of the engine, and once the worker has left no end of a workflow at all. */
async function guarded(work: Promise<void>, hasLeft: () => boolean): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!hasLeft()) throw withoutText(error)
  }
  if (hasLeft()) await never()
}
