import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { maxListeners } from '../../../../src/live-page/event-stream.js'
import {
  buildDocument,
  buildError,
  buildSecurityHeaders,
  type PageResponse,
  sendResponse,
} from '../../../../src/live-page/response.js'
import { DatabaseError } from '../database/database-error.js'
import { describeDatabaseError } from '../database/reason.js'
import type { FleetSource } from './fleet-source.js'
import type { FleetWatch } from './fleet-watch.js'
import { findPageFile } from './page-file.js'
import type { PageExchange } from './request-guard.js'
import { wrongMethod } from './request-guard.js'
import { isSignedIn, type PageAccess, signIn } from './sign-in.js'

/** The parts that serve requests. */
export interface PageContext extends PageAccess {
  readonly source: FleetSource
  readonly watch: FleetWatch
}

/**
 * Serves a request. The page itself is static and shows no data before it has loaded some, so only its data is guarded.
 * Rejects only on a bug.
 */
export async function route(served: PageContext, exchange: PageExchange): Promise<void> {
  const { incoming, outgoing } = exchange
  const { method, url = '' } = incoming
  const [path = '', query = ''] = url.split('?', 2)
  if (path === '/sign-in' && method === 'POST') return signIn(served, exchange)
  incoming.resume()
  if (method === 'POST') return sendResponse(outgoing, wrongMethod)
  const file = findPageFile(path)
  if (file !== undefined) return sendResponse(outgoing, file)
  const reader = await isSignedIn(served, incoming)
  if (reader !== true) return sendResponse(outgoing, reader)
  if (path === '/events') return streamEvents(served.watch, exchange)
  if (path === '/api/fleet') return sendFleet(served.watch, exchange)
  const [, site] = /^\/api\/sites\/([^/]+)$/.exec(path) ?? []
  return sendResponse(outgoing, site === undefined ? nothing : await answerSite(served, site, query))
}

const nothing = buildError(404, 'Not found: available are /api/fleet, /api/sites/SITE and /events.')
const eventStream = 'text/event-stream; charset=utf-8'

function streamEvents({ events }: FleetWatch, { incoming, outgoing }: PageExchange): void {
  if (incoming.method === 'HEAD') {
    sendResponse(outgoing, { httpStatus: 200, contentType: eventStream, content: '' })
    return
  }
  outgoing.setHeaders(new Map(Object.entries({ ...buildSecurityHeaders(), 'content-type': eventStream })))
  const lastEventId = incoming.headers['last-event-id']?.toString()
  if (events.listen({ outgoing, lastEventId })) return
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  sendResponse(outgoing, buildError(503, `Too many open pages: the limit is ${maxListeners}.`))
}

const zipped = new WeakMap<object, Promise<Uint8Array>>()

async function sendFleet(watch: FleetWatch, { incoming, outgoing }: PageExchange): Promise<void> {
  const fleet = await watch.document()
  const headers = { etag: `"${fleet.id}"`, vary: 'accept-encoding' }
  const isKnown = incoming.headers['if-none-match'] === headers.etag
  if (isKnown)
    return sendResponse(outgoing, { httpStatus: 304, contentType: 'application/json', content: '', headers })
  const answer = buildDocument(fleet)
  if (!/\bgzip\b/.test(`${incoming.headers['accept-encoding']}`))
    return sendResponse(outgoing, { ...answer, headers })
  const content = zipped.get(fleet) ?? promisify(gzip)(answer.content, { level: 3 })
  zipped.set(fleet, content)
  sendResponse(outgoing, {
    ...answer,
    content: await content,
    headers: { ...headers, 'content-encoding': 'gzip' },
  })
}

async function answerSite({ source }: PageContext, encoded: string, query: string): Promise<PageResponse> {
  const site = decodeSite(encoded)
  const wanted = new URLSearchParams(query).get('generation')
  const generation = wanted === null ? undefined : Number(wanted)
  if (site === undefined) return buildError(400, 'The site has invalid percent-encoding.')
  if (generation !== undefined && !(Number.isInteger(generation) && generation > 0 && generation < 2 ** 31))
    return buildError(400, 'A generation must be a whole number from 1.')
  try {
    const view = await source.readSite(site, generation)
    return view === undefined
      ? buildError(404, 'The site, or the run of it, was not found.')
      : buildDocument({ formatVersion: 1, ...view })
  } catch (error) {
    if (error instanceof DatabaseError)
      return buildError(503, `The site cannot be read: ${describeDatabaseError(error)}.`)
    throw error
  }
}

function decodeSite(text: string): string | undefined {
  try {
    const site = decodeURIComponent(text)
    // PostgreSQL text cannot hold NUL.
    return site.includes('\0') ? undefined : site
  } catch {
    return undefined
  }
}
