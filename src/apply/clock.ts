import type { MachineTime } from '../plan/submission.js'

/** Time as an apply sees it. */
export interface Clock {
  /** Milliseconds since 1970, for what people read. */
  now(): number
  /** Milliseconds that only grow, to measure with: the wall clock may jump. */
  monotonicMs(): number
  /**
   * Reads the monotonic clock of the machine, which later processes read too until the machine restarts. `undefined`, or
   * absent, where the system has none.
   */
  machineTime?(): Promise<MachineTime | undefined>
  /** Resolves after the time, or at once when the signal comes; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The limits of a wait. */
export interface WaitOptions {
  /** The longest that the waiting for `ready` may take. */
  readonly timeoutMs: number
  /** Time between two polls of the site. */
  readonly pollMs: number
}
