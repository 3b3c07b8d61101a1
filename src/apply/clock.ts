import type { MachineTime } from '../plan/submission.js'

/** The clocks and the timer of an apply. */
export interface Clock {
  /** Milliseconds since 1970, for display and records. */
  now(): number
  /** Monotonic milliseconds for measuring durations, since the wall clock may jump. */
  monotonicMs(): number
  /**
   * Reads the monotonic clock of the machine, which all its processes share until it restarts. `undefined`, or absent, if the
   * system has none.
   */
  machineTime?(): Promise<MachineTime | undefined>
  /** Resolves after the time, or as soon as the signal aborts; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The limits of a wait. */
export interface WaitOptions {
  /** Maximum time to wait for `ready`. */
  readonly timeoutMs: number
  /** Time between two polls of the site. */
  readonly pollMs: number
}
