import type { SiteWriter } from '../client/site-writer.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenLoan } from '../secrets/token-loan.js'
import type { StateStore } from '../state/state-store.js'
import type { Clock } from './clock.js'

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
