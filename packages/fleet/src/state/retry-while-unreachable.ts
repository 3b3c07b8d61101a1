import { setTimeout as delay } from 'node:timers/promises'
import type { StateFailure, StateReply } from 'landform/state'
import { DatabaseError, isUnreachable } from '../database/database-error.js'
import { describeDatabaseError } from '../database/reason.js'

/** Runs a repeatable database operation, and returns failures as state failures with a reason. */
export type RunStateQuery = <T>(
  kind: 'unreadable' | 'unwritable',
  work: () => Promise<T>,
) => Promise<StateReply<T>>

/** Pauses between retries. A server that restarts or fails over is back after some seconds. */
const pausesMs = [100, 200, 400, 800, 1500, 3000, 4000, 5000]

/** Retries while the database is unreachable, for 15 seconds. */
export function retryWhileUnreachable(where: string): RunStateQuery {
  return async (kind, work) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return { ok: true, value: await work() }
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        const waitMs = isUnreachable(error) ? pausesMs[tries] : undefined
        if (waitMs === undefined)
          return {
            ok: false,
            error: {
              kind: kinds[error.code] ?? kind,
              where,
              reason: { kind: 'reported', text: describeDatabaseError(error) },
            },
          }
        await delay(waitMs)
      }
    }
  }
}

const kinds: Readonly<Record<string, StateFailure['kind']>> = {
  LANDFORM_NEWER: 'newer',
  LANDFORM_LOST: 'overtaken',
  LANDFORM_RACE: 'overtaken',
  '42P01': 'foreign',
  '42P07': 'foreign',
  '42703': 'foreign',
}
