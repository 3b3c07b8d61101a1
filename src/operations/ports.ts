import type { CallOptions, SiteOperator } from '../client/site-operator.js'
import type { SecretSource } from '../secrets/secret-source.js'

/** Everything a one-shot operation reaches outside itself. */
export interface OneShotPorts {
  readonly client: SiteOperator
  readonly secrets: SecretSource
}

/** How long a one-shot operation may take. The signal stops only what has not been sent. */
export type OneShotOptions = CallOptions
