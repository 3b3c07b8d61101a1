import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { SiteProxy } from './proxy.js'

/** A request as it would be written on a connection. */
export interface TransportRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The time limit of the call, on the clock of the transport. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The result of a request that was sent: a complete answer, or the reason that it is missing. */
export type TransportReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly bytes: Buffer
    }
  | { readonly kind: 'none'; readonly reason: string }

/** Carries requests without connections: to a site in the same process, with its own clock. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>

/** The way of requests to a site, beside its address. */
export interface Route {
  readonly proxy?: SiteProxy
  /** The trusted authorities and the client certificate; by default, only the authorities of Node. */
  readonly trust?: SecureContext
  /** Resolves names instead of the system. */
  readonly lookup?: LookupFunction
  /** Takes the place of all that: no connection is made. */
  readonly transport?: Transport
  /** Creates the redactor for all secrets of the site: another process may have sent them. */
  redactor?(): Promise<Redactor>
}

/** Straight to the site. */
export const direct: Route = {}

/** Replaces the secrets in a text of a site. */
export type Redactor = (text: string) => string
