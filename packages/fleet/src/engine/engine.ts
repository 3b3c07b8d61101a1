import { setTimeout as delay } from 'node:timers/promises'
import { DBOS, type DLogger, Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { advisoryLocks, type Database } from '../database/database.js'
import { DatabaseError, type QueryRunner, toDatabaseError } from '../database/database-error.js'
import type { Order, RunKey } from '../model/run.js'
import type { WorkflowSteps } from '../workflow/run-ports.js'
import { createDurableSteps, never, removeText } from './durable-steps.js'
import { application, formatEngineAddress, queues, workflowVersion } from './engine-client.js'

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

export interface EngineConfiguration {
  readonly connection: string
  readonly pool: pg.Pool
  /** The unique name of this process in the engine. */
  readonly executor: string
  readonly log: EngineLog
  /** The queues that it takes work from. */
  readonly from: readonly string[]
}

/** Configures the engine for this process. It sends nothing to its vendor. */
export function configureEngine({ connection, pool, executor, log, from }: EngineConfiguration): void {
  DBOS.setConfig({
    name: application,
    applicationVersion: workflowVersion,
    executorID: executor,
    systemDatabaseUrl: formatEngineAddress(connection),
    systemDatabasePool: pool,
    // We use no notifications, and listening would keep a connection.
    useListenNotify: false,
    schedulerPollingIntervalMs: 3_600_000,
    logger: createEngineLogger(log),
    listenQueues: [...from],
  })
}

/**
 * Runs an operation of the engine and converts its errors. The engine uses the pool itself, so it passes on errors of the
 * driver, possibly wrapped; a failed start is an error of the database.
 */
export async function withEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toEngineError(error)
  }
}

function toEngineError(error: unknown): unknown {
  if (!(error instanceof EngineErrors.DBOSInitializationError)) return toDatabaseError(error)
  const cause = toDatabaseError(error.error ?? error)
  return cause instanceof DatabaseError
    ? cause
    : new DatabaseError('the engine cannot start with this database', '08006')
}

/** Receives messages of the engine; they hold texts of the engine and of PostgreSQL, none of a site. */
export type EngineLog = (level: 'warn' | 'error', message: string) => void

/**
 * Creates the logger of the engine. It drops informational messages and all stack traces: of an error only the message
 * counts.
 */
export function createEngineLogger(log: EngineLog): DLogger {
  const quiet = () => undefined
  const line = (entry: unknown) => String(entry).split('\n', 1)[0] ?? ''
  return {
    info: quiet,
    debug: quiet,
    // Two workers polled at the same time, and one of them retries: that is expected.
    warn: entry => (/contention/i.test(line(entry)) ? undefined : log('warn', line(entry))),
    error: entry => log('error', line(entry)),
  }
}

/**
 * Starts the engine, which creates its tables if there are none. The engine cannot do that in two processes at once, and
 * one of its statements waits for every other open one: so a process that waits for the first one only polls now and then,
 * outside of any statement.
 */
export async function launchExclusively(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    while (!(await tryLaunchLock(client))) await delay(200)
    await DBOS.launch()
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.launch])
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function tryLaunchLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [advisoryLocks.launch])
  return (rows[0] as { readonly taken: boolean }).taken
}

/** Returns true if the tables of the engine exist, and no process is about to create or change them. */
export async function hasEngineTables({ rows }: QueryRunner): Promise<boolean> {
  for (;;) {
    const [row] = await rows(
      `select to_regclass('dbos.queues') is not null as there, pg_try_advisory_xact_lock_shared($1) as quiet`,
      [advisoryLocks.launch],
    )
    if (row?.['quiet'] === true) return row['there'] === true
    await delay(200)
  }
}

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
