import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { DatabaseError, describeDatabaseError } from '../database/database-error.js'
import { type Reply, type Routes, replyError, startHttpServer } from '../http/http-server.js'
import { formatListenAddress, type ListenAddress, parseListenAddress } from '../model/listen-address.js'
import type { FleetDocument } from '../report/history.js'
import { html, script, style } from './page/generated.js'

export interface FleetPageOptions {
  readonly listen: ListenAddress
  readonly names?: readonly string[]
  /** SHA-256 of the token; without it everyone who reaches the page can read it. */
  readonly tokenDigest?: Uint8Array
  /** Reads the document that the page shows. Rejects with a `DatabaseError` only. */
  readFleet(): Promise<FleetDocument>
  /** A monotonic clock in milliseconds. Default: the real one. */
  now?(): number
}

/** All open pages share a query per second. */
const maxAgeMs = 1000

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 13 6 4l3 5 2-3 4 7z" fill="#2a7d5f"/></svg>`

/** Serves the page. Its static files are public; only the document with the sites is protected. */
export async function startFleetPage(options: FleetPageOptions) {
  const { listen } = options
  // `localhost` could resolve to another address.
  const address = { ...listen, host: listen.host === 'localhost' ? '127.0.0.1' : listen.host }
  const file = (type: string, body: string) => () => ({ type, body })
  const respond = createResponder(options)
  const routes: Routes = {
    '/': file('text/html; charset=utf-8', html),
    '/page.css': file('text/css; charset=utf-8', style),
    '/page.js': file('text/javascript; charset=utf-8', script),
    '/icon.svg': file('image/svg+xml', icon),
    '/api/fleet': headers => refuse(headers, options) ?? respond(headers),
  }
  const { port, close } = await startHttpServer(routes, address)
  return { url: `http://${formatListenAddress({ ...address, port })}/`, close }
}

/** Computes a digest, for example of the token, which is not kept in memory itself. */
export function computeSha256(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest()
}

/** Refuses requests from pages of other origins, including DNS rebinding, and from readers without the token. */
function refuse(
  headers: IncomingHttpHeaders,
  { listen, names = [], tokenDigest }: FleetPageOptions,
): Reply | undefined {
  const asked = (headers.host ?? '').toLowerCase()
  const { host = '' } = parseListenAddress(asked) ?? parseListenAddress(`${asked}:80`) ?? {}
  if (isIP(host) === 0 && !['localhost', listen.host, ...names].some(name => name.toLowerCase() === host))
    return replyError(421, 'Unknown host name. Start `landform fleet ui` with --host NAME to allow it.')
  if (!['none', 'same-origin', undefined].includes(headers['sec-fetch-site']?.toString()))
    return replyError(403, 'Requests from pages of other sites are not allowed.')
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (tokenDigest === undefined || timingSafeEqual(computeSha256(token), tokenDigest)) return undefined
  return replyError(401, 'A token is required.', { 'www-authenticate': 'Bearer' })
}

function createResponder({ readFleet, now = () => performance.now() }: FleetPageOptions) {
  let last: { readonly at: number; readonly reply: Promise<Reply> } | undefined
  return async (headers: IncomingHttpHeaders): Promise<Reply> => {
    if (last === undefined || now() - last.at >= maxAgeMs)
      last = { at: now(), reply: readFleet().then(replyFleet, replyFailure) }
    const reply = await last.reply
    const isKnown = reply.headers?.['etag'] === (headers['if-none-match'] ?? '')
    return isKnown ? { ...reply, status: 304 } : reply
  }
}

function replyFleet(fleet: FleetDocument): Reply {
  const body = JSON.stringify(fleet)
  // A new heartbeat is not a change.
  const content = body.replaceAll(/"beatAt":"[^"]*"/g, '')
  const etag = `W/"${Buffer.from(computeSha256(content)).toString('base64url')}"`
  return { type: 'application/json', body, headers: { etag } }
}

function replyFailure(error: unknown): Reply {
  if (!(error instanceof DatabaseError)) throw error
  return replyError(503, `The fleet cannot be read: ${describeDatabaseError(error)}.`)
}
