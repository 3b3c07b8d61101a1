/** The time in milliseconds since 1970, the only one that the emulator uses. */
export type Clock = () => number

/** Makes a clock that starts at the time of another one and runs `speed` times as fast. */
export function scaledClock(base: Clock, speed: number): Clock {
  const begun = base()
  return () => begun + (base() - begun) * speed
}

/** Waits, and ends early on a signal. The timers of an emulator are real ones, or those of a test. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>
