import { DBOS } from '@dbos-inc/dbos-sdk'
import { enqueueWorkflows, prepareEnqueuedWorkflow } from '@dbos-inc/dbos-sdk/eventreceiver'
import type { Database } from '../database/database.js'
import { DatabaseError } from '../database/database-error.js'
import { formatWorkflowId, type Load, type QueuedRun, type RunKey } from '../model/run.js'
import { createEngineTables, engineAddress, engineLogger, withEngineErrors } from './engine-setup.js'
import { compareTickets, computeLimits, computePlace } from './tickets.js'

const application = 'landform'

const queueName = 'sites'

const workflowName = 'apply'

/** Workers take only work of this version: change it with the input of the workflow. */
const workflowVersion = 'landform-1'

export interface EngineOptions {
  readonly database: Database
  /** The unique name of this process in the engine. */
  readonly executor: string
  /** Starts a run if it is still queued, and does its work. */
  apply(key: RunKey): Promise<void>
}

/** Reads the queued runs, and the other facts that the queue depends on. */
type ReadQueued = () => Promise<{ readonly runs: readonly QueuedRun[]; readonly load: Load }>

/** The running engine, which starts queued work in this process until it is closed. */
export type Engine = Awaited<ReturnType<typeof launchEngine>>

/** Starts the engine, which sends nothing to its vendor. A process has one at a time. */
export async function launchEngine({ apply, database, executor }: EngineOptions) {
  const open = new Set<Promise<void>>()
  const work = DBOS.registerWorkflow(
    async (key: RunKey) => {
      // The engine would store an error with all its properties, and that of a client may contain a request.
      const end = apply(key).catch(() => undefined)
      open.add(end)
      await end
      open.delete(end)
    },
    { name: workflowName, maxRecoveryAttempts: 1_000_000 },
  )
  DBOS.setConfig({
    name: application,
    applicationVersion: workflowVersion,
    executorID: executor,
    systemDatabaseUrl: engineAddress(database),
    systemDatabasePool: database.pool,
    runMigrations: false,
    // We use no notifications, and listening would keep a connection.
    useListenNotify: false,
    schedulerPollingIntervalMs: 3_600_000,
    logger: engineLogger,
  })
  const close = () => DBOS.shutdown({ deregister: true })
  try {
    await withEngineErrors(async () => {
      await createEngineTables(database)
      await DBOS.launch()
    })
  } catch (error) {
    await close()
    throw error
  }
  const derive = async (read: ReadQueued) => {
    // Read first: a run that starts meanwhile is counted once, or as running without a ticket, but is never missed.
    const tickets = await DBOS.listWorkflows({ workflowName, loadInput: false, loadOutput: false })
    const { runs, load } = await read()
    const { stale, missing } = compareTickets(runs, tickets, load)
    const taken = tickets.filter(({ status }) => status === 'PENDING').length
    await DBOS.registerQueue(queueName, { ...computeLimits(load, taken), onConflict: 'always_update' })
    if (stale.length > 0) await DBOS.deleteWorkflows([...stale])
    const prepared = missing.map(async run => {
      const { site, generation } = run
      const options = { workflowID: formatWorkflowId(run), queueName }
      const ticket = await prepareEnqueuedWorkflow(work, [{ site, generation }], options)
      return { ...ticket, priority: computePlace(run) }
    })
    await enqueueWorkflows(await Promise.all(prepared))
  }
  return {
    /**
     * Updates the queue and its limits from the queued runs: each run without a ticket gets one. Returns false if its tables
     * were dropped.
     */
    async derive(read: ReadQueued): Promise<boolean> {
      try {
        await withEngineErrors(() => derive(read))
        return true
      } catch (error) {
        if (error instanceof DatabaseError && error.code === undefinedTable) return false
        throw error
      }
    },
    /** Creates the tables of the queue again. Waits for every open transaction, so the caller must have none. */
    createTables: () => withEngineErrors(() => createEngineTables(database)),
    /** Takes no more work. */
    close,
    /** Resolves once the current work has ended. */
    settled: async () => void (await Promise.all(open)),
  }
}

const undefinedTable = '42P01'
