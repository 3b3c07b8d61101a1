import type { Clock } from '../../apply/ports.js'

/** A clock of a test: whoever sleeps makes the time pass for everybody, and it takes none. */
export interface VirtualClock extends Clock {
  /** Does something as soon as so much time has passed. */
  later(milliseconds: number, work: () => void): void
}

/** Any day; always the same, so that a test goes the same way every time. */
const start = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A clock that stands at its beginning. */
export function virtualClock(): VirtualClock {
  let elapsedMs = 0
  let waiting: readonly { readonly atMs: number; readonly work: () => void }[] = []
  return {
    now: () => start + elapsedMs,
    monotonicMs: () => elapsedMs,
    async sleep(milliseconds, signal) {
      if (signal.aborted) return
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
