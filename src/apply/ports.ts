import type { SiteWriter } from '../client/site-writer.js'
import type { MachineTime } from '../plan/submission.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenLoan } from '../secrets/token-loan.js'
import type { StateStore } from '../state/state-store.js'

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

/** Everything an apply reaches outside itself. */
export interface Ports {
  readonly client: SiteWriter
  readonly secrets: SecretSource
  /** Lends the token of the site at the moment that it is needed. */
  readonly lendToken: TokenLoan
  readonly state: StateStore
  readonly clock: Clock
  /** A number from 0 to 1, to spread polls. */
  random(): number
  /** Text that nobody guesses, to name a request by. */
  nonce(): string
}

/** How long to wait, and how. */
export interface Patience {
  /** The longest that the waiting for `ready` may take. */
  readonly timeoutMs: number
  /** Time between two looks at the site. */
  readonly pollMs: number
}
