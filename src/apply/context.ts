import type { Bindings } from '../plan/saved/bindings.js'
import type { StageTiming } from '../plan/submission.js'
import type { Secrets } from '../secrets/secret.js'
import type { HeldState } from '../state/held-state.js'
import type { WaitOptions } from './clock.js'
import type { Ports } from './ports.js'

export interface ApplyOptions extends WaitOptions {
  /** Return once the service has accepted the configuration. */
  readonly detach: boolean
  /** The saved plan that is performed: it is noted as used before anything is sent. */
  readonly planId?: string
  /** Send `configure` again after the service said no to an earlier one, if the site then shows no sign of it. */
  readonly resubmitAfterRejection?: boolean
  /** When stages ran, as an earlier wait for this configuration saw it: kept where this one saw none. */
  readonly timings?: readonly StageTiming[]
  /** Stops the waiting, never a request under way, and never the service. */
  readonly signal: AbortSignal
}

/** What one step works with: the ports, with every secret already fetched and the site taken. */
export interface Context extends Omit<Ports, 'secrets'> {
  readonly options: ApplyOptions
  readonly secrets: Secrets
  readonly held: HeldState
  readonly binds: Bindings
}
