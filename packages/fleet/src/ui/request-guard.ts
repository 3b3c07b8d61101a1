import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { isCrossSite, readHost } from '../../../../src/live-page/request-origin.js'
import { buildError, type PageResponse } from '../../../../src/live-page/response.js'
import { isLoopback, type ListenAddress, parseListenAddress } from '../model/listen-address.js'

/** A request to the page and its response. */
export interface PageExchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The hosts of a page. */
export interface PageHosts {
  readonly listen: ListenAddress
  /** Additional host names, such as that of a proxy. */
  readonly names: readonly string[]
}

/**
 * Rejects requests caused by a page of another site, or for another host: a page that points its own name at this address
 * would send that name.
 */
export function rejectForeignRequest(incoming: IncomingMessage, door: PageHosts): PageResponse | undefined {
  const { method = '', url = '', headers } = incoming
  const host = readHost(incoming)
  if (!url.startsWith('/') || host === undefined || !isOwnHost(host, door)) return misdirected
  if (!methods.includes(method)) return wrongMethod
  if (method === 'POST' && !isOwnOrigin(headers.origin, host)) return foreignOrigin
  // A link may lead to the page from anywhere, because the page alone shows no data.
  const isLink = method !== 'POST' && headers['sec-fetch-mode'] === 'navigate' && url === '/'
  return isCrossSite(incoming) && !isLink ? foreignOrigin : undefined
}

const methods = ['GET', 'HEAD', 'POST']
const misdirected = buildError(
  421,
  'Unknown host: this page serves its own address only; add another name with --host.',
)
const foreignOrigin = buildError(403, 'Requests from other sites are not allowed.')

/** The response to requests that would change something. */
export const wrongMethod = buildError(405, 'This page is read-only: use GET.')

/** Accepts the listen address; if that is open to other machines, any IP address and the known names. */
function isOwnHost(host: string, { listen, names }: PageHosts): boolean {
  const asked = parseListenAddress(host) ?? parseListenAddress(`${host}:80`)
  if (asked === undefined) return false
  if (names.includes(asked.host)) return true
  if (!isLoopback(listen)) return isIP(asked.host) !== 0 || isLoopback(asked) || asked.host === listen.host
  return isLoopback(asked) && asked.port === listen.port
}

function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
