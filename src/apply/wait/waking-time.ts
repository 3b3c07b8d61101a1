import type { Clock } from '../clock.js'

/** Later than this a sleep has not just ended late: the process stood still. */
const stoodStillMs = 60_000
/**
 * A poll or a write of the state happens between two readings: each has a deadline, and together they take less than this.
 */
const maxWorkMs = 5 * 60_000

/** The time in which this process could poll the site. */
export interface WakingTime {
  elapsedMs(): number
  /** Sleeps; the answer is for how long the process stood still meanwhile, or at its work before, 0 as a rule. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<number>
}

/**
 * Measures a wait without the times in which the machine slept or the process was held: nobody waited then, nothing was
 * seen of the site, and neither a deadline nor a stall may come of it.
 */
export function measureWakingTime(clock: Clock): WakingTime {
  const startedMs = clock.monotonicMs()
  let lostMs = 0
  let untoldMs = 0
  let readMs = startedMs
  const lose = (milliseconds: number) => {
    lostMs += milliseconds
    untoldMs += milliseconds
  }
  const read = () => {
    const sinceMs = clock.monotonicMs() - readMs
    if (sinceMs >= maxWorkMs) lose(sinceMs)
    readMs += sinceMs
    return readMs
  }
  return {
    elapsedMs: () => read() - startedMs - lostMs,
    async sleep(milliseconds, signal) {
      const beforeMs = read()
      await clock.sleep(milliseconds, signal)
      readMs = clock.monotonicMs()
      const lateMs = readMs - beforeMs - Math.max(0, milliseconds)
      if (lateMs >= stoodStillMs) lose(lateMs)
      const reportedMs = untoldMs
      untoldMs = 0
      return reportedMs
    },
  }
}
