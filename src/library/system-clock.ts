import type { Clock } from '../apply/clock.js'
import { machineTime } from '../state/machine-facts.js'

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  machineTime,
  sleep: (milliseconds, signal) =>
    new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(Math.max(0, milliseconds), longestTimerMs))
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    }),
}

/** The longest delay of a timer: with a longer one it fires at once. */
const longestTimerMs = 2 ** 31 - 1
