import { setTimeout as delay } from 'node:timers/promises'
import type { StateFailure, StateReply } from '../../../../src/state/state-failure.js'
import { DatabaseError, isAway } from '../database/database-error.js'
import { reasonOf } from '../database/reason.js'

/** Does something with the database that may be done again, and tells in words of Landform why it cannot be done. */
export type Asked = <T>(kind: 'unreadable' | 'unwritable', work: () => Promise<T>) => Promise<StateReply<T>>

/** A server that is started anew, or that another takes over from, is back after some seconds. */
const waitsMs = [100, 200, 400, 800, 1500, 3000, 4000, 5000]

/** Tries again while the database is away, for a quarter of a minute. */
export function patiently(where: string): Asked {
  return async (kind, work) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return { ok: true, value: await work() }
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        const waitMs = isAway(error) ? waitsMs[tries] : undefined
        if (waitMs === undefined)
          return {
            ok: false,
            error: {
              kind: kinds[error.code] ?? kind,
              where,
              reason: { kind: 'reported', text: reasonOf(error) },
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
