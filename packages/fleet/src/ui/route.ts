import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Answer, document, guardedHeaders, refusal, sendAnswer } from '../../../../src/page/answer.js'
import { listenersAtMost } from '../../../../src/page/event-stream.js'
import { DatabaseError } from '../database/database-error.js'
import { reasonOf } from '../database/reason.js'
import type { Exchange } from './door.js'
import { wrongMethod } from './door.js'
import type { FleetSource } from './fleet-source.js'
import type { FleetWatch } from './fleet-watch.js'
import { pageFile } from './page-file.js'
import { type Entrance, isSignedIn, signIn } from './sign-in.js'

/** The parts that serve requests. */
export interface Served extends Entrance {
  readonly source: FleetSource
  readonly watch: FleetWatch
}

/**
 * Serves a request. The page itself is static and shows no data before it has loaded some, so only its data is guarded.
 * Rejects only on a bug.
 */
export async function route(served: Served, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange
  const { method, url = '' } = incoming
  const [path = '', query = ''] = url.split('?', 2)
  if (path === '/sign-in' && method === 'POST') return signIn(served, exchange)
  incoming.resume()
  if (method === 'POST') return sendAnswer(outgoing, wrongMethod)
  const file = pageFile(path)
  if (file !== undefined) return sendAnswer(outgoing, file)
  const reader = await isSignedIn(served, incoming)
  if (reader !== true) return sendAnswer(outgoing, reader)
  if (path === '/events') return listen(served.watch, exchange)
  if (path === '/api/fleet') return sendFleet(served.watch, exchange)
  const [, site] = /^\/api\/sites\/([^/]+)$/.exec(path) ?? []
  return sendAnswer(outgoing, site === undefined ? nothing : await siteAnswer(served, site, query))
}

const nothing = refusal(404, 'Not found: available are /api/fleet, /api/sites/SITE and /events.')
const eventStream = 'text/event-stream; charset=utf-8'

function listen({ events }: FleetWatch, { incoming, outgoing }: Exchange): void {
  if (incoming.method === 'HEAD') {
    sendAnswer(outgoing, { httpStatus: 200, contentType: eventStream, content: '' })
    return
  }
  outgoing.setHeaders(new Map(Object.entries({ ...guardedHeaders(), 'content-type': eventStream })))
  const lastEventId = incoming.headers['last-event-id']?.toString()
  if (events.listen({ outgoing, lastEventId })) return
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  sendAnswer(outgoing, refusal(503, `Too many open pages: the limit is ${listenersAtMost}.`))
}

const zipped = new WeakMap<object, Promise<Uint8Array>>()

async function sendFleet(watch: FleetWatch, { incoming, outgoing }: Exchange): Promise<void> {
  const fleet = await watch.document()
  const headers = { etag: `"${fleet.id}"`, vary: 'accept-encoding' }
  const isKnown = incoming.headers['if-none-match'] === headers.etag
  if (isKnown)
    return sendAnswer(outgoing, { httpStatus: 304, contentType: 'application/json', content: '', headers })
  const answer = document(fleet)
  if (!/\bgzip\b/.test(`${incoming.headers['accept-encoding']}`))
    return sendAnswer(outgoing, { ...answer, headers })
  const content = zipped.get(fleet) ?? promisify(gzip)(answer.content, { level: 3 })
  zipped.set(fleet, content)
  sendAnswer(outgoing, {
    ...answer,
    content: await content,
    headers: { ...headers, 'content-encoding': 'gzip' },
  })
}

async function siteAnswer({ source }: Served, encoded: string, query: string): Promise<Answer> {
  const site = decoded(encoded)
  const wanted = new URLSearchParams(query).get('generation')
  const generation = wanted === null ? undefined : Number(wanted)
  if (site === undefined) return refusal(400, 'The site has invalid percent-encoding.')
  if (generation !== undefined && !(Number.isInteger(generation) && generation > 0 && generation < 2 ** 31))
    return refusal(400, 'A generation must be a whole number from 1.')
  try {
    const view = await source.site(site, generation)
    return view === undefined
      ? refusal(404, 'The site, or the run of it, was not found.')
      : document({ formatVersion: 1, ...view })
  } catch (error) {
    if (error instanceof DatabaseError) return refusal(503, `The site cannot be read: ${reasonOf(error)}.`)
    throw error
  }
}

function decoded(text: string): string | undefined {
  try {
    const site = decodeURIComponent(text)
    // PostgreSQL text cannot hold NUL.
    return site.includes('\0') ? undefined : site
  } catch {
    return undefined
  }
}
