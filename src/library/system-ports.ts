import { randomBytes } from 'node:crypto'
import type { Clock } from '../apply/clock.js'
import { liveness, machineTime, thisProcess } from '../state/machine.js'
import type { StatePorts } from '../state/ports.js'
import { tool } from '../version.js'

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

/** Waits for this time; cannot be aborted. */
export const pause = (milliseconds: number) => systemClock.sleep(milliseconds, new AbortController().signal)

/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Generates text that cannot be guessed, and is short enough to type. */
export const nonce = () => randomBytes(12).toString('hex')

/** Creates the ports of state stores, for this process. */
export function statePorts(clock: { now(): number }, awaitLock?: StatePorts['awaitLock']): StatePorts {
  return { now: () => clock.now(), nonce, self: thisProcess, liveness, tool, ...(awaitLock && { awaitLock }) }
}
