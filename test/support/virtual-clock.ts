import type { Clock } from '../../src/apply/clock.js'

/** Returns a clock that jumps to the end of every sleep, so hours pass instantly and repeatably. */
export function virtualClock(
  start = Date.UTC(2026, 0, 2, 3, 4, 5),
  machine = 'a virtual machine',
): Clock & { pass(milliseconds: number): void } {
  let elapsedMs = 0
  return {
    now: () => start + elapsedMs,
    monotonicMs: () => elapsedMs,
    machineTime: async () => ({ of: machine, ms: elapsedMs }),
    sleep: async (milliseconds, signal) => {
      if (!signal.aborted) elapsedMs += Math.ceil(milliseconds)
    },
    pass(milliseconds) {
      elapsedMs += milliseconds
    },
  }
}
