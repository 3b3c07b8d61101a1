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
  /** How long the call may take, on whatever clock the transport lives by. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

/** What comes back of a request: a whole answer, or why there is none although it went out. */
export type Transported =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly bytes: Buffer
    }
  | { readonly kind: 'none'; readonly reason: string }

/** Carries requests in place of connections: to a site in the same process, with a time of its own. */
export type Transport = (request: TransportRequest) => Promise<Transported>

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

/** Takes the secrets, and every part of them, out of a text of a site. */
export type Redactor = (text: string) => string
