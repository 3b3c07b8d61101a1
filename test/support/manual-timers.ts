import type { Every } from '../../src/emulator/http/event-stream.js'

/** Timers that fire when a test says so. */
export function manualTimers() {
  const running = new Map<symbol, readonly [number, () => void]>()
  const every: Every = (milliseconds, callback) => {
    const key = Symbol()
    running.set(key, [milliseconds, callback])
    return () => running.delete(key)
  }
  return {
    every,
    count: () => running.size,
    /** As if the shortest, or the longest, had run out. */
    fire: (which: 'short' | 'long') => {
      const byLength = [...running.values()].sort(([one], [other]) => one - other)
      byLength.at(which === 'short' ? 0 : -1)?.[1]()
    },
  }
}
