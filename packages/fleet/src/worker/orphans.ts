import { advisoryLocks } from '../database/advisory-locks.js'
import type { Database } from '../database/database.js'
import type { Session } from '../database/session.js'
import type { Engine } from '../engine/dbos-engine.js'
import type { Tell } from '../model/worker-event.js'

interface WorkerParts {
  readonly database: Database
  readonly session: Session
  readonly engine: Engine
}

interface Watch extends WorkerParts {
  readonly tell: Tell
}

/**
 * Returns the work of dead workers to the queues. Only one process in the fleet does it at a time: no other process may
 * start that work in between.
 */
export function adoptOrphans({ database, session, engine, tell: report }: Watch): Promise<void> {
  return database.transaction(async runner => {
    const [row] = await runner.rows('select pg_try_advisory_xact_lock($1) as alone', [advisoryLocks.adopt])
    if (row?.['alone'] !== true) return
    const others = (await engine.busyExecutors()).filter(executor => executor !== session.id)
    for (const dead of await session.dead(others)) {
      const runs = await engine.adopt([dead])
      if (runs > 0) report({ type: 'runs-adopted', from: dead, runs })
    }
  })
}

/**
 * Returns the work of this worker to the queues, after it has released all sites. Waits for other processes that do the
 * same.
 */
export function giveBack({ database, engine, session }: WorkerParts): Promise<void> {
  return database.transaction(async runner => {
    await runner.rows('select pg_advisory_xact_lock($1)', [advisoryLocks.adopt])
    await engine.adopt([session.id])
  })
}
