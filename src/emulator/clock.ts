/** The time in milliseconds since 1970. Nothing in the emulator knows another one. */
export type Clock = () => number

/** A clock that agrees with another one now and runs `speed` times as fast from here on. */
export function scaledClock(base: Clock, speed: number): Clock {
  const begun = base()
  return () => begun + (base() - begun) * speed
}

/** Waits, and ends early when a signal comes. The timers of an emulator are its own, or those of a test. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>
