import type { Clock } from '../ports.js'

/** Later than this a sleep has not just ended late: the process stood still. */
const stoodStillMs = 60_000

/** Time in which this process could look at the site. */
export interface WakingTime {
  elapsedMs(): number
  /** Sleeps; the answer is for how long the process stood still meanwhile, 0 as a rule. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<number>
}

/**
 * Measures a wait without the times in which the machine slept or the process was held: nobody waited then, nothing was
 * seen of the site, and neither a deadline nor a stall may come of it.
 */
export function wakingTime(clock: Clock): WakingTime {
  const startedMs = clock.monotonicMs()
  let lostMs = 0
  return {
    elapsedMs: () => clock.monotonicMs() - startedMs - lostMs,
    async sleep(milliseconds, signal) {
      const beforeMs = clock.monotonicMs()
      await clock.sleep(milliseconds, signal)
      const lateMs = clock.monotonicMs() - beforeMs - Math.max(0, milliseconds)
      if (lateMs < stoodStillMs) return 0
      lostMs += lateMs
      return lateMs
    },
  }
}
