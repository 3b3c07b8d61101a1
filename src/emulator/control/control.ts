import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EmulatorClock, WatchedSite } from '../emulated-site.js'
import { type EventStream, type Listener, maxListeners } from '../http/event-stream.js'
import { type RequestLog, requestsKept } from '../log/request-log.js'
import { html, script, style } from '../page/generated.js'
import { buildStateDocument, type EmulatorFacts } from './state-document.js'

/** Everything that the control path reads; it cannot change anything, but for ending the emulator. */
export interface EmulatorView {
  readonly facts: EmulatorFacts
  readonly clock: EmulatorClock
  readonly sites: ReadonlyMap<string, WatchedSite>
  readonly log: RequestLog
  readonly events: EventStream
  /** Ends the emulator; absent where only the program that started it may do so. */
  readonly stop: (() => void) | undefined
}

/** Answers a request to the control path; `name` is the path after `/_emulator/`. */
export function answerControl(
  watched: EmulatorView,
  name: string,
  { incoming, outgoing }: HttpExchange,
): void {
  incoming.resume()
  const { method, url = '', headers } = incoming
  const wanted = parseControlQuery(url, watched.sites)
  const lastEventId = headers['last-event-id']?.toString()
  if (method === 'DELETE' && name === '' && watched.stop !== undefined)
    outgoing.writeHead(204).end(watched.stop)
  else if (method !== 'GET' && method !== 'HEAD') sendResponse(outgoing, wrongMethod)
  else if (typeof wanted === 'string') sendResponse(outgoing, buildError(400, wanted))
  else if (name === 'events' && method === 'GET')
    listen(watched.events, { outgoing, lastEventId, about: wanted.site })
  else sendResponse(outgoing, buildControlAnswer(watched, name, wanted))
}

interface HttpExchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface ControlQuery {
  readonly site: string | undefined
  readonly before: number | undefined
  readonly limit: number
}

function buildControlAnswer(
  { facts, clock, sites, log }: EmulatorView,
  name: string,
  wanted: ControlQuery,
): PageResponse {
  switch (name) {
    case '':
      return pageAnswer
    case 'state.json': {
      const one = [...sites].filter(([site]) => wanted.site === undefined || wanted.site === site)
      return buildDocument(buildStateDocument(facts, new Map(one), clock()))
    }
    case 'requests.json': {
      const requests = log.newest(wanted)
      const next = requests.length === wanted.limit ? (requests.at(-1)?.id ?? null) : null
      return buildDocument({ formatVersion: 1, requests, next })
    }
    case 'events':
      return { httpStatus: 200, contentType: eventStream, content: '' }
    default:
      return unknownPath
  }
}

const wrongMethod = buildError(405, 'This path is read-only: use GET.')
const unknownPath = buildError(404, 'Not found. Available: state.json, requests.json and events.')
const eventStream = 'text/event-stream; charset=utf-8'

function listen(events: EventStream, listener: Listener): void {
  const { outgoing } = listener
  outgoing.setHeaders(new Map(Object.entries({ ...buildSecurityHeaders(), 'content-type': eventStream })))
  if (!events.listen(listener))
    sendResponse(outgoing, buildError(503, `Too many listeners: the limit is ${maxListeners}.`))
}

/** Reads the parameters; returns a message if one is invalid. */
function parseControlQuery(url: string, sites: ReadonlyMap<string, WatchedSite>): ControlQuery | string {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'))
  const site = parameters.get('site') ?? undefined
  if (site !== undefined && !sites.has(site)) return 'site must be one of the sites of state.json.'
  const limit = Number(parameters.get('limit') ?? requestsKept)
  const before = parameters.has('before') ? Number(parameters.get('before')) : undefined
  const whole = [limit, before ?? 1].every(number => Number.isInteger(number) && number > 0)
  return whole && limit <= requestsKept
    ? { site, before, limit }
    : `limit must be a number from 1 to ${requestsKept}, and before a value of \`next\`.`
}

/**
 * The page that shows the activity of the emulator. Its policy allows its style and its script by their digests, and
 * connections only to the emulator that served it.
 */
const pageAnswer: PageResponse = {
  httpStatus: 200,
  contentType: 'text/html; charset=utf-8',
  content: html.replace('/* style */', () => style).replace('/* script */', () => script),
  policy: [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** A response to a viewer. */
interface PageResponse {
  readonly httpStatus: number
  readonly contentType: string
  readonly content: string | Uint8Array
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a response with a JSON document. */
function buildDocument(content: object, httpStatus = 200): PageResponse {
  return {
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    content: `${JSON.stringify(content)}\n`,
  }
}

/** Builds an error document. */
function buildError(httpStatus: number, message: string): PageResponse {
  return buildDocument({ error: { code: httpStatus, message, details: null } }, httpStatus)
}

/** Builds the security headers of every response: no caching, no content sniffing, no embedding. */
function buildSecurityHeaders(policy = "default-src 'none'; frame-ancestors 'none'") {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/** Writes a response; Node omits the body for HEAD. */
function sendResponse(outgoing: ServerResponse, answer: PageResponse): void {
  const body = Buffer.from(answer.content)
  outgoing.writeHead(answer.httpStatus, {
    ...buildSecurityHeaders(answer.policy),
    ...(answer.httpStatus === 405 && { allow: 'GET, HEAD' }),
    ...answer.headers,
    'content-type': answer.contentType,
    'content-length': body.length,
  })
  outgoing.end(body)
}
