import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseError, isAway } from '../database/database-error.js'
import type { FleetStore } from '../database/fleet-store.js'
import { reasonOf } from '../database/reason.js'
import type { Tell } from '../model/worker-event.js'

interface Patience {
  readonly tell: Tell
  /** Stops retrying: the process is about to end. */
  readonly signal: AbortSignal
}

/**
 * Wraps a store so that it waits while the database is unreachable, as the engine does: a run does not fail because a
 * server restarts. Every other error is thrown at once.
 */
export function patientStore(store: FleetStore, patience: Patience): FleetStore {
  const waiting = Object.entries(store).map(([name, ask]) => [name, patiently(ask, patience)])
  return Object.fromEntries(waiting) as FleetStore
}

type Ask = (...values: never[]) => Promise<unknown>

function patiently(ask: Ask, { tell: report, signal }: Patience): Ask {
  return async (...values) => {
    let wasAway = false
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        const answer = await ask(...values)
        if (wasAway) report({ type: 'database-restored' })
        return answer
      } catch (error) {
        if (!passes(error) || signal.aborted) throw error
        if (!wasAway) report({ type: 'database-failed', why: reasonOf(error), code: error.code })
        wasAway = true
        await delay(pauseMs, undefined, { signal })
      }
    }
  }
}

/** True for an unreachable database, or for two conflicting transactions. */
function passes(error: unknown): error is DatabaseError {
  return isAway(error) || /^(?:40001|40P01)$/.test((error as { readonly code?: string }).code ?? '')
}
