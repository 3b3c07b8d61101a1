import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { operations } from '../contract/operations.js'
import { addressErrorCode, createCodeError } from './limit.js'
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
  /** A longer response counts as none. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The result of a request that was sent: a complete response, or the reason why there is none. */
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

/** The way of requests to a site, apart from its address. */
export interface Route {
  readonly proxy?: SiteProxy
  /** The trusted authorities and the client certificate; by default, only the authorities of Node. */
  readonly trust?: SecureContext
  /** The file that names authorities in `trust`, for messages. */
  readonly caFile?: string
  /** Resolves names instead of the system. */
  readonly lookup?: LookupFunction
  /** Replaces all of the above: no connection is made. */
  readonly transport?: Transport
  /** The paths below the base URL that need a slash at the end, as the user wrote it or learnt from a redirect. */
  readonly slashes?: Set<string>
  /** Reads the secrets of the site to redact, since another process may have sent them. If absent, nothing is redacted. */
  redaction?(): Promise<Redaction>
}

/** The route without a proxy. */
export const direct: Route = {}

/** Returns the root path if the URL, as written, ends with a slash. */
export function findSlash(address: string): Set<string> {
  return new Set(address.endsWith('/') ? [operations.root.path] : [])
}

/** Replaces the secrets in a text of a site. */
export type Redactor = (text: string) => string

/** Redacts the texts of a site before other code reads them. */
export interface Redaction {
  readonly redact: Redactor
  /** False if this process lacks a secret of the manifest: the site may repeat it, so only codes of the site are kept. */
  readonly isComplete: boolean
  /** The texts of the manifest, which contain no secrets: they may be shown if a site repeats them. */
  readonly declared?: ReadonlySet<string>
}

/** The link-local addresses: clouds serve credentials there, and no site has one. */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')

/** True for an IP address that nothing may be sent to, in any notation; false for a name. */
export function isForbidden(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && forbidden.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Makes a look-up fail if any address of a name is forbidden, because the connection may use any of them. */
export function guardLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (error === null && addresses.some(isForbidden)) done(createCodeError(addressErrorCode), '')
      else done(error, found, family)
    })
}

/** Accesses `lookup` at the first call, because only that makes Node load it. */
const systemLookup: LookupFunction = (...asked) => (lookup as LookupFunction)(...asked)
