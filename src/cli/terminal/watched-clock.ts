import type { Clock } from '../../apply/clock.js'
import type { ApplyEvent } from '../../apply/event.js'

/** Shows a stream of events as it happens. */
export interface Progress {
  show(event: ApplyEvent): void
  /** Nothing happens for so long, unless something does. */
  pausing?(milliseconds: number): void
  end(): void
}

/** A clock that tells those who show progress how long each sleep is meant to be. */
export function watchedClock(clock: Clock, watching: readonly Progress[]): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep(milliseconds, signal) {
      for (const one of watching) one.pausing?.(milliseconds)
      return clock.sleep(milliseconds, signal)
    },
  }
}
