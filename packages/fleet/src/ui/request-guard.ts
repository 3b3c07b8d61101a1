import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import type { HttpEnvironment } from '../http/http-server.js'
import { isLoopback, type ListenAddress, parseListenAddress } from '../model/listen-address.js'

/** The hosts of a page. */
export interface PageHosts {
  /** The host that the page listens on. */
  readonly host: string
  /** Additional host names, for example of a proxy. */
  readonly names: readonly string[]
}

/**
 * Rejects requests for another host: a page that points its own name at this address would send that name. Two hosts are
 * rejected, because a proxy in between may have used the other one.
 */
export function rejectForeignHost({ host, names }: PageHosts): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const { incoming } = c.env
    const [asked = '', ...more] = incoming.headersDistinct['host'] ?? []
    const listen = { host, port: incoming.socket.localPort ?? 0 }
    if (more.length > 0 || !isOwnHost(asked.toLowerCase(), { listen, names })) throw misdirected
    await next()
  }
}

/** Rejects requests caused by a page of another site, those that only read included. */
export const rejectCrossSite: MiddlewareHandler<HttpEnvironment> = async (c, next) => {
  const site = c.req.header('sec-fetch-site') ?? 'none'
  // A link may lead to the page from anywhere, because the page alone shows no data.
  const isLink = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate' && c.req.path === '/'
  if (site !== 'none' && site !== 'same-origin' && !isLink) throw foreignOrigin
  await next()
}

/** Rejects forms of other pages; behind a proxy the origin of the page begins with `https:`. */
export const rejectForeignForm = csrf({
  origin: (origin, c) =>
    [`http://${c.req.header('host')}`, `https://${c.req.header('host')}`].includes(origin),
})

const misdirected = new HTTPException(421, {
  message: 'Unknown host: this page serves its own address only; add another name with --host.',
})
/** Also the answer to forms of other pages. */
export const foreignOrigin = new HTTPException(403, { message: 'Requests from other sites are not allowed.' })

/** Accepts the listen address; if that is open to other machines, any IP address and the known names. */
function isOwnHost(
  host: string,
  { listen, names }: { readonly listen: ListenAddress; readonly names: readonly string[] },
): boolean {
  const asked = parseListenAddress(host) ?? parseListenAddress(`${host}:80`)
  if (asked === undefined) return false
  if (names.includes(asked.host)) return true
  if (!isLoopback(listen)) return isIP(asked.host) !== 0 || isLoopback(asked) || asked.host === listen.host
  return isLoopback(asked) && asked.port === listen.port
}
