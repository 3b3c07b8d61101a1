import { advisoryLocks } from '../database/advisory-locks.js'
import type { Database } from '../database/database.js'
import type { FleetSession } from '../database/session.js'
import type { Engine } from '../engine/dbos-engine.js'
import { formatWorkflowId, type RunKey } from '../model/run.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'

interface WorkerParts {
  readonly database: Database
  readonly session: FleetSession
  readonly engine: Engine
}

interface OrphanContext extends WorkerParts {
  readonly report: ReportWorkerEvent
}

/**
 * Returns the work of dead workers to the queues. Only one process in the fleet does it at a time: no other process may
 * start that work in between.
 */
export function adoptOrphans({ database, session, engine, report }: OrphanContext): Promise<void> {
  return database.transaction(async runner => {
    const [row] = await runner.rows('select pg_try_advisory_xact_lock($1) as alone', [advisoryLocks.adopt])
    if (row?.['alone'] !== true) return
    const others = (await engine.listBusyExecutors()).filter(executor => executor !== session.id)
    for (const dead of await session.removeDead(others)) {
      const waiting = await runner.rows<RunKey>(
        `select site, generation from landform.run where worker = $1 and state = 'running' and phase = 'wait'`,
        [dead],
      )
      const runs = await engine.adopt([dead], waiting.map(formatWorkflowId))
      if (runs > 0) report({ type: 'runs-adopted', from: dead, runs })
    }
  })
}

/**
 * Returns the work of this worker to the queues, after it has released all sites. Waits for other processes that do the
 * same.
 */
export function returnWork({ database, engine, session }: WorkerParts): Promise<void> {
  return database.transaction(async runner => {
    await runner.rows('select pg_advisory_xact_lock($1)', [advisoryLocks.adopt])
    await engine.adopt([session.id])
  })
}
