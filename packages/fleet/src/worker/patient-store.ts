import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseError, isAway } from '../database/database-error.js'
import type { FleetStore } from '../database/fleet-store.js'
import { reasonOf } from '../database/reason.js'
import type { Tell } from '../model/worker-event.js'

interface Patience {
  readonly tell: Tell
  /** Ends the waiting: the process is about to end. */
  readonly signal: AbortSignal
}

/**
 * A store that waits while the database is away, as the engine does: a run does not fail because a server was started anew.
 * Everything but that is told at once.
 */
export function patientStore(store: FleetStore, patience: Patience): FleetStore {
  const waiting = Object.entries(store).map(([name, ask]) => [name, patiently(ask, patience)])
  return Object.fromEntries(waiting) as FleetStore
}

type Ask = (...values: never[]) => Promise<unknown>

function patiently(ask: Ask, { tell, signal }: Patience): Ask {
  return async (...values) => {
    let wasAway = false
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        const answer = await ask(...values)
        if (wasAway) tell({ type: 'database-restored' })
        return answer
      } catch (error) {
        if (!passes(error) || signal.aborted) throw error
        if (!wasAway) tell({ type: 'database-failed', why: reasonOf(error), code: error.code })
        wasAway = true
        await delay(pauseMs, undefined, { signal })
      }
    }
  }
}

/** The database is away, or two transactions got in each other's way. */
function passes(error: unknown): error is DatabaseError {
  return isAway(error) || /^(?:40001|40P01)$/.test((error as { readonly code?: string }).code ?? '')
}
