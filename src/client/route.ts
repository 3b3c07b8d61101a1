import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { SiteProxy } from './proxy.js'
import type { Redactor } from './redact/redactor.js'
import type { Transport } from './transport.js'

/** How requests get to a site, beside its address. */
export interface Route {
  readonly proxy?: SiteProxy
  /** Whom TLS believes, and what it shows of this side; unless given, whom Node believes, and nothing. */
  readonly trust?: SecureContext
  /** Resolves names in place of the system. */
  readonly lookup?: LookupFunction
  /** Takes the place of all that: no connection is made. */
  readonly transport?: Transport
  /** Makes what takes the secrets of the site out of its answers, also those that another process sent it. */
  redactor?(): Promise<Redactor>
}

/** Straight to the site. */
export const direct: Route = {}
