import type { Clock } from '../../apply/clock.js'

/** A clock of a test: whoever sleeps makes the time pass for everybody, and it takes none. */
export interface VirtualClock extends Clock {
  /** Does something as soon as so much time has passed. */
  later(milliseconds: number, work: () => void): void
  /** Given once somebody has slept so often that it could go on for ever. */
  readonly spent: AbortSignal
}

/** Looks and signs of life of two days. */
export const mostSleeps = 50_000
/** So often the process hears of an interrupt; each costs as much as a few looks. */
const sleepsBetween = 100

/** Any day; always the same, so that a test goes the same way every time. */
const start = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A clock that stands at its beginning. */
export function virtualClock(): VirtualClock {
  const spent = new AbortController()
  let sleeps = 0
  let elapsedMs = 0
  let waiting: readonly { readonly atMs: number; readonly work: () => void }[] = []
  return {
    spent: spent.signal,
    now: () => start + elapsedMs,
    monotonicMs: () => elapsedMs,
    async sleep(milliseconds, signal) {
      if (signal.aborted) return
      sleeps += 1
      if (sleeps % sleepsBetween === 0) await new Promise(resolve => setImmediate(resolve))
      if (sleeps > mostSleeps) return spent.abort()
      const untilMs = elapsedMs + Math.ceil(Math.max(0, milliseconds))
      const due = waiting.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)
      waiting = waiting.filter(({ atMs }) => atMs > untilMs)
      for (const { atMs, work } of due) {
        elapsedMs = Math.max(elapsedMs, atMs)
        work()
      }
      elapsedMs = untilMs
    },
    later(milliseconds, work) {
      waiting = [...waiting, { atMs: elapsedMs + milliseconds, work }]
    },
  }
}
