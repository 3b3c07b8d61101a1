import { DBOS } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { engineAddress } from './engine-address.js'
import { type EngineLog, engineLogger } from './engine-log.js'
import { application, shape } from './queues.js'

export interface EngineConfiguration {
  readonly connection: string
  readonly pool: pg.Pool
  /** What the engine knows this process by; no other has the same. */
  readonly executor: string
  readonly log: EngineLog
  /** The queues that it takes work from. */
  readonly from: readonly string[]
}

/** Says to the engine how it is to run here. It sends nothing to its vendor. */
export function configureEngine({ connection, pool, executor, log, from }: EngineConfiguration): void {
  DBOS.setConfig({
    name: application,
    applicationVersion: shape,
    executorID: executor,
    systemDatabaseUrl: engineAddress(connection),
    systemDatabasePool: pool,
    // Nothing of ours is told by it, and it would keep a connection.
    useListenNotify: false,
    schedulerPollingIntervalMs: 3_600_000,
    logger: engineLogger(log),
    listenQueues: [...from],
  })
}
