import type { CallOptions, SiteOperator } from '../client/site-operator.js'
import type { SecretSource } from '../secrets/secret-source.js'

/** The effects that a one-shot operation uses. */
export interface OneShotPorts {
  readonly client: SiteOperator
  readonly secrets: SecretSource
}

/** Deadline and cancellation. The signal stops an operation only before its request is sent. */
export type OneShotOptions = CallOptions
