/** The time in milliseconds since 1970, the only one that the emulator uses. */
export type EmulatorClock = () => number

/** Makes a clock that starts at the time of another one and runs `speed` times as fast. */
export function scaleClock(base: EmulatorClock, speed: number): EmulatorClock {
  const begun = base()
  return () => begun + (base() - begun) * speed
}

/** Waits, and ends early on a signal. Tests replace the real timers. */
export type EmulatorWait = (milliseconds: number, signal: AbortSignal) => Promise<void>
