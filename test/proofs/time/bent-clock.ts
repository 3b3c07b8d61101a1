import type { Clock } from '../../../src/apply/clock.js'
import { virtualClock } from '../../support/virtual-clock.js'

/** What happens to the time of a machine just before the effect with that number. */
export interface Bend {
  readonly at: number
  /** How far the wall clock is set forward, or back. */
  readonly wallMs?: number
  /** How long the machine sleeps; the time that only grows goes on meanwhile, or stands still. */
  readonly asleepMs?: number
  readonly counts?: boolean
}

/** The clock of a machine to which that happens, and of a service to which it does not. */
export interface BentClock extends Clock {
  /** How often the clock was asked, or slept on. */
  readonly effects: number
  /** The time of the service. */
  readonly trueNow: () => number
}

/** Time that passes when somebody sleeps, with everything that clocks of machines do. */
export function bentClock(start: number, bends: readonly Bend[]): BentClock {
  const base = virtualClock(start)
  let effects = 0
  let setMs = 0
  let uncountedMs = 0
  const effect = () => {
    for (const { at, wallMs = 0, asleepMs = 0, counts = true } of bends) {
      if (at !== effects) continue
      setMs += wallMs
      base.pass(asleepMs)
      if (!counts) uncountedMs += asleepMs
    }
    effects += 1
  }
  return {
    get effects() {
      return effects
    },
    trueNow: base.now,
    now() {
      effect()
      return base.now() + setMs
    },
    monotonicMs() {
      effect()
      return base.monotonicMs() - uncountedMs
    },
    async sleep(milliseconds, signal) {
      effect()
      await base.sleep(milliseconds, signal)
    },
  }
}
