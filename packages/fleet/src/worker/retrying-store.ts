import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseError, isUnreachable } from '../database/database-error.js'
import type { FleetStore } from '../database/fleet-store.js'
import { describeDatabaseError } from '../database/reason.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'

interface RetryOptions {
  readonly report: ReportWorkerEvent
  /** Stops retrying: the process is about to end. */
  readonly signal: AbortSignal
}

/**
 * Wraps a store so that it waits while the database is unreachable, as the engine does: a run does not fail because a
 * server restarts. Every other error is thrown at once.
 */
export function createRetryingStore(store: FleetStore, waitOptions: RetryOptions): FleetStore {
  const waiting = Object.entries(store).map(([name, ask]) => [name, withRetries(ask, waitOptions)])
  return Object.fromEntries(waiting) as FleetStore
}

type StoreMethod = (...values: never[]) => Promise<unknown>

function withRetries(ask: StoreMethod, { report, signal }: RetryOptions): StoreMethod {
  return async (...values) => {
    let wasAway = false
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        const answer = await ask(...values)
        if (wasAway) report({ type: 'database-restored' })
        return answer
      } catch (error) {
        if (!isTemporary(error) || signal.aborted) throw error
        if (!wasAway) report({ type: 'database-failed', why: describeDatabaseError(error), code: error.code })
        wasAway = true
        await delay(pauseMs, undefined, { signal })
      }
    }
  }
}

/** True for an unreachable database, or for two conflicting transactions. */
function isTemporary(error: unknown): error is DatabaseError {
  return isUnreachable(error) || /^(?:40001|40P01)$/.test((error as { readonly code?: string }).code ?? '')
}
