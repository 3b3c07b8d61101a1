import type { MachineTime } from '../plan/submission.js'

/** Time as an apply sees it. */
export interface Clock {
  /** Milliseconds since 1970, for what people read. */
  now(): number
  /** Milliseconds that only grow, for what is measured: the wall clock may jump. */
  monotonicMs(): number
  /**
   * Reads the clock of the machine that only grows, which later processes of the same run of it read, too. `undefined`, or
   * absent, where that cannot be told.
   */
  machineTime?(): Promise<MachineTime | undefined>
  /** Resolves after the time, or at once when the signal comes; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** How long to wait, and how. */
export interface WaitOptions {
  /** The longest that the waiting for `ready` may take. */
  readonly timeoutMs: number
  /** Time between two looks at the site. */
  readonly pollMs: number
}
