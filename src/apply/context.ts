import type { Secrets } from '../secrets/resolve.js'
import type { Patience, Ports } from './ports.js'

export interface ApplyOptions extends Patience {
  /** Return once the service has accepted the configuration. */
  readonly detach: boolean
  /** The saved plan that is performed: it is noted as used before anything is sent. */
  readonly planId?: string
  /** Stops the waiting, never a request under way, and never the service. */
  readonly signal: AbortSignal
}

/** What one step works with: the ports, with every secret already fetched. */
export interface Context extends Omit<Ports, 'secrets'> {
  readonly options: ApplyOptions
  readonly secrets: Secrets
}
