import type { SiteWriter } from '../client/site-client.js'
import type { Bindings } from '../plan/saved/bindings.js'
import type { NeededSecret } from '../secrets/needed-references.js'
import type { SecretsToSend } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import type { HeldState, StateStore } from '../state/ports.js'
import type { Clock, WaitOptions } from './clock.js'

/** Everything an apply reaches outside itself. */
export interface Ports {
  readonly client: SiteWriter
  readonly secrets: SecretSource
  /** Provides the token of the site at the moment it is needed. */
  readonly provideToken: TokenProvider
  /** The secrets for signing in to get that token; all must be available before anything is sent. */
  readonly signInReferences?: readonly NeededSecret[]
  readonly state: StateStore
  readonly clock: Clock
  /** Returns a number from 0 to 1, which spreads the polls of many runs. */
  random(): number
  /** Returns a random text that identifies a request. */
  nonce(): string
}

export interface ApplyOptions extends WaitOptions {
  /** Return once the service has accepted the configuration. */
  readonly detach: boolean
  /** The ID of the saved plan, which is recorded as used before anything is sent. */
  readonly planId?: string
  /** Send `configure` again after a rejection, if the site shows no sign of the earlier one. */
  readonly resubmitAfterRejection?: boolean
  /** Have the service check the license before a submission intent is recorded. Default: false. */
  readonly checkLicense?: boolean
  /** Send nothing if the service lists user types without the administrator's. Includes the license check. Default: false. */
  readonly requireListedUserType?: boolean
  /** Stops the waiting, never a request under way, and never the service. */
  readonly signal: AbortSignal
}

/** The ports and values of one step: every secret is fetched and the site is locked. */
export interface Context extends Omit<Ports, 'secrets' | 'signInReferences'> {
  readonly options: ApplyOptions
  readonly secrets: SecretsToSend
  readonly held: HeldState
  readonly binds: Bindings
}
