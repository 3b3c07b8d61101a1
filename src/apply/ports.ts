import type { SiteWriter } from '../client/site-client.js'
import type { Bindings } from '../plan/saved/bindings.js'
import type { StageTiming } from '../plan/submission.js'
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
  /** The secrets that signing in for it takes, which have to be there before anything is sent. */
  readonly signInReferences?: readonly NeededSecret[]
  readonly state: StateStore
  readonly clock: Clock
  /** A number from 0 to 1, to spread polls. */
  random(): number
  /** Makes a random text that names a request. */
  nonce(): string
}

export interface ApplyOptions extends WaitOptions {
  /** Return once the service has accepted the configuration. */
  readonly detach: boolean
  /** The saved plan that is performed: it is noted as used before anything is sent. */
  readonly planId?: string
  /** Send `configure` again after the service said no to an earlier one, if the site then shows no sign of it. */
  readonly resubmitAfterRejection?: boolean
  /** Ask the service about the license before a submission intent is written. Default: no. */
  readonly checkLicense?: boolean
  /** Send nothing if the service lists user types without that of the administrator. It is asked in any case. Default: no. */
  readonly requireListedUserType?: boolean
  /** The times of stages, as an earlier wait for this configuration saw them: kept where this one saw none. */
  readonly timings?: readonly StageTiming[]
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
