import { DBOS } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { formatEngineAddress } from './engine-address.js'
import { createEngineLogger, type EngineLog } from './engine-log.js'
import { application, workflowVersion } from './queues.js'

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
