import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EmulatorClock } from '../emulated-site.js'
import { html, script, style } from '../page/generated.js'
import { buildStateDocument, type EmulatorContents } from './state-document.js'

/** Everything that the control path can read. It changes nothing; it can only stop the emulator. */
export interface EmulatorView extends EmulatorContents {
  readonly clock: EmulatorClock
  /** Stops the emulator; absent if only the program that started it may stop it. */
  readonly stop: (() => void) | undefined
}

interface HttpExchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Answers a request to the control path; `name` is the path after `/_emulator/`. */
export function answerControl(view: EmulatorView, name: string, { incoming, outgoing }: HttpExchange): void {
  incoming.resume()
  const { method, url = '' } = incoming
  if (method === 'DELETE' && name === '' && view.stop !== undefined) outgoing.writeHead(204).end(view.stop)
  else if (method !== 'GET' && method !== 'HEAD') sendResponse(outgoing, wrongMethod)
  else sendResponse(outgoing, buildControlAnswer(view, name, new URLSearchParams(url.split('?')[1])))
}

function buildControlAnswer(view: EmulatorView, name: string, query: URLSearchParams): PageResponse {
  if (name === '') return pageAnswer
  if (name !== 'state.json') return unknownPath
  const site = query.get('site') ?? [...view.sites.keys()][0] ?? ''
  return view.sites.has(site) ? buildDocument(buildStateDocument(view, site, view.clock())) : unknownSite
}

const wrongMethod = buildError(405, 'This path is read-only: use GET.')
const unknownPath = buildError(404, 'Not found. Available: state.json.')
const unknownSite = buildError(400, 'site must be one of the sites of state.json.')

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

interface PageResponse {
  readonly httpStatus: number
  readonly contentType: string
  readonly content: string
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
}

function buildDocument(content: object, httpStatus = 200): PageResponse {
  return {
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    content: `${JSON.stringify(content)}\n`,
  }
}

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
    'content-type': answer.contentType,
    'content-length': body.length,
  })
  outgoing.end(body)
}
