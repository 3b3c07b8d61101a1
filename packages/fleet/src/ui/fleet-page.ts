import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { DatabaseError, describeDatabaseError } from '../database/database-error.js'
import {
  type HttpOptions,
  type ReadRequest,
  type Reply,
  replyError,
  startHttpServer,
} from '../http/http-server.js'
import {
  formatListenAddress,
  isLoopback,
  type ListenAddress,
  parseListenAddress,
} from '../model/listen-address.js'
import type { FleetDocument } from '../report/history.js'
import { html, script, style } from './page/generated.js'

export interface FleetPageOptions {
  readonly listen: ListenAddress
  /** Additional host names, such as that of a proxy. */
  readonly names?: readonly string[]
  /** SHA-256 of the token; without it everyone who reaches the page can read it. */
  readonly tokenDigest?: Uint8Array
  /** Reads the document that the page shows. Rejects with a `DatabaseError` only. */
  readFleet(): Promise<FleetDocument>
  /** Grows with the time that passes, in milliseconds. Default: the real clock. */
  now?(): number
}

/** Of more sites, those that need a person come first, and a search finds the others. */
const maxSites = 500
/** All open pages share a query per second. */
const maxAgeMs = 1000

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 13 6 4l3 5 2-3 4 7z" fill="#2a7d5f"/></svg>`

/** Serves the page, which is static and shows nothing before it has loaded the document: only that needs the token. */
export async function startFleetPage({ listen, names = [], tokenDigest, ...source }: FleetPageOptions) {
  // `localhost` could resolve to another address.
  const address = { ...listen, host: listen.host === 'localhost' ? '127.0.0.1' : listen.host }
  const file = (type: string, body: string) => () => ({ type: `${type}; charset=utf-8`, body })
  const respond = createResponder(source)
  const routes: HttpOptions['routes'] = {
    '/': file('text/html', html),
    '/page.css': file('text/css', style),
    '/page.js': file('text/javascript', script),
    '/icon.svg': () => ({ type: 'image/svg+xml', body: icon }),
    '/api/fleet': request =>
      tokenDigest === undefined || hasToken(request, tokenDigest) ? respond(request) : missingToken,
  }
  const reject = (request: IncomingMessage) => rejectRequest(request, { host: address.host, names })
  const { port, close } = await startHttpServer({ routes, reject }, address)
  return { url: `http://${formatListenAddress({ ...address, port })}/`, close }
}

/** Computes the digest of a token: the memory of this process does not hold the token itself. */
export function computeSha256(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest()
}

const missingToken = replyError(401, 'A token is required.', { 'www-authenticate': 'Bearer' })

function hasToken({ headers }: ReadRequest, digest: Uint8Array): boolean {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return timingSafeEqual(computeSha256(token), digest)
}

function createResponder({
  readFleet,
  now = () => performance.now(),
}: Pick<FleetPageOptions, 'readFleet' | 'now'>) {
  let last: { readonly at: number; readonly fleet: Promise<FleetDocument> } | undefined
  return async ({ headers, query }: ReadRequest): Promise<Reply> => {
    if (last === undefined || now() - last.at >= maxAgeMs) last = { at: now(), fleet: readFleet() }
    try {
      const fleet = await last.fleet
      const body = JSON.stringify({ ...fleet, sites: selectSites(fleet, query.get('search') ?? '') })
      // A heartbeat alone is no change.
      const content = body.replaceAll(/"beatAt":"[^"]*"/g, '')
      const etag = `W/"${Buffer.from(computeSha256(content)).toString('base64url')}"`
      const isKnown = headers['if-none-match'] === etag
      return { status: isKnown ? 304 : 200, type: 'application/json', body, headers: { etag } }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      return replyError(503, `The fleet cannot be read: ${describeDatabaseError(error)}.`)
    }
  }
}

function selectSites({ sites }: FleetDocument, search: string): FleetDocument['sites'] {
  const words = search.toLowerCase().split(/\s+/)
  const textOf = ({ site, url, state, worker, rollout, message }: FleetDocument['sites'][number]) =>
    [site, url, state, worker, rollout, message].join(' ').toLowerCase()
  return sites.filter(one => words.every(word => textOf(one).includes(word))).slice(0, maxSites)
}

interface PageHosts {
  /** The host that the page listens on. */
  readonly host: string
  readonly names: readonly string[]
}

/**
 * Rejects requests for another host, because a page that points its own name at this address would send that name; and
 * those of pages of other sites. A link may lead to the page from anywhere.
 */
function rejectRequest(
  { headersDistinct, url, socket }: IncomingMessage,
  hosts: PageHosts,
): Reply | undefined {
  const [asked = '', ...more] = headersDistinct['host'] ?? []
  // Of two, a proxy in between may have used the other one.
  if (more.length > 0 || !isOwnHost(asked.toLowerCase(), socket.localPort, hosts))
    return replyError(
      421,
      'Unknown host: this page serves its own address only; add another name with --host.',
    )
  const [site = 'none'] = headersDistinct['sec-fetch-site'] ?? []
  const isLink = url === '/' && headersDistinct['sec-fetch-mode']?.[0] === 'navigate'
  const [origin] = headersDistinct['origin'] ?? []
  const isOwn = origin === undefined || [`http://${asked}`, `https://${asked}`].includes(origin)
  if (isOwn && (isLink || site === 'none' || site === 'same-origin')) return undefined
  return replyError(403, 'Requests of other sites are not allowed.')
}

/** Accepts the listen address; if that is open to other machines, any IP address and the known names. */
function isOwnHost(host: string, localPort: number | undefined, { host: own, names }: PageHosts): boolean {
  const asked = parseListenAddress(host) ?? parseListenAddress(`${host}:80`)
  if (asked === undefined) return false
  if (names.includes(asked.host)) return true
  if (!isLoopback({ host: own })) return isIP(asked.host) !== 0 || isLoopback(asked) || asked.host === own
  return isLoopback(asked) && asked.port === localPort
}
