import type { Secret } from '../secrets/secret.js'
import { tool } from '../version.js'
import type { Redirect, Reply, Sender } from './failure.js'
import type { Limit } from './limit.js'
import type { Route } from './route.js'
import type { PartOfBody, PiecedBody, RequestBody } from './wire/multipart.js'

/** A request, without its time limits and its route. */
export interface Message {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Base URL of the site. */
  readonly url: string
  /** The path below the base URL, with the query. */
  readonly path: string
  readonly body?: RequestBody | PiecedBody
  /** The value of the `Authorization` header, in read requests only: a string cannot be wiped. */
  readonly authorization?: string
  /** Replaces the headers for a site, in a request to another server. */
  readonly headers?: Readonly<Record<string, string>>
  /** The name of the response header to keep. */
  readonly answerHeader?: string
  /** A longer response counts as none. */
  readonly maxAnswerBytes?: number
  /** The body contains the token of the site, or the account that signs in. */
  readonly hasToken?: boolean
}

export interface HttpRequest extends Message {
  /** The time limit of the whole call. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly route?: Route
  /** The line for a request that only reads; without one, the request has its own connection. */
  readonly line?: Line | undefined
}

export interface HttpAnswer extends Omit<Sender, 'cause'> {
  readonly status: number
  readonly bytes: Buffer
  /** The encoding of a body that could not be decoded, and that is left out. */
  readonly encoding?: string
  /** The time of the response, by the clock of the server, in milliseconds since 1970 and whole seconds. */
  readonly answeredAtMs?: number
  /** The pause that the response asks for. */
  readonly retryAfterMs?: number
  /** The target of a redirect. */
  readonly redirect?: ParsedRedirect
  /** The value of the `answerHeader` of the request. */
  readonly header?: string
  /** The response comes from a cache: its `Age` is above 0. RFC 9111 §5.1. */
  readonly isCached?: true
}

/** A connection for polls and the one request that follows them. */
export interface Line {
  /** Sends a request that only reads, on a new connection if the server closed the one before. */
  poll(message: Message, limit: Limit): Promise<Reply<HttpAnswer>>
  /** Sends one request on the connection of the last poll; `not-sent` if the server closed it. */
  send(message: Message, limit: Limit): Promise<Reply<HttpAnswer>>
  /** Sends one request on a new connection. */
  sendAnew(message: Message, limit: Limit): Promise<Reply<HttpAnswer>>
  close(): void
}

/** A request that only reads a site: a GET without a body. */
export interface GetRequest
  extends Pick<
    HttpRequest,
    'url' | 'path' | 'deadlineMs' | 'signal' | 'route' | 'line' | 'maxAnswerBytes' | 'answerHeader'
  > {
  readonly token?: Secret | undefined
  /** A query parameter in addition to `f`, encoded. */
  readonly query?: string | undefined
}

/** Joins the path of the base URL and that of the request. A site at the root of its host still needs the slash. */
export function joinTarget(base: string, path: string): string {
  const target = `${base.replace(/\/+$/, '')}${path}`
  return target.startsWith('/') ? target : `/${target}`
}

export function buildHeaders({
  method,
  url,
  body,
  authorization,
  headers,
}: Message): Readonly<Record<string, string>> {
  const always = { 'user-agent': tool, 'accept-encoding': 'identity' }
  if (headers !== undefined) return { ...always, ...headers }
  return {
    ...always,
    accept: 'application/json',
    // A token may be bound to the referrer. Public sources.
    referer: url,
    ...(method === 'GET' && { 'cache-control': 'no-cache' }),
    ...(body !== undefined && {
      'content-type': body.contentType,
      'content-length': `${countBytes(body)}`,
    }),
    ...(authorization !== undefined && { authorization }),
  }
}

/** Converts a body for undici, which also accepts an iterable of pieces, although its types do not say so. */
export function toSendable(body: Message['body']): Buffer | null {
  if (body === undefined) return null
  return 'bytes' in body ? body.bytes : (sendPieces(body) as unknown as Buffer)
}

/** Yields a body piece by piece; a file is read while it is sent. */
async function* sendPieces(body: RequestBody | PiecedBody): AsyncGenerator<Buffer> {
  for (const piece of listPieces(body))
    if (Buffer.isBuffer(piece)) yield piece
    else yield* piece.pieces()
}

function countBytes(body: Message['body']): number {
  return (body === undefined ? [] : listPieces(body)).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function listPieces(body: RequestBody | PiecedBody): readonly PartOfBody[] {
  return 'pieces' in body ? body.pieces : [body.bytes]
}

export async function joinPieces(body: Message['body']): Promise<Buffer> {
  const pieces: Buffer[] = []
  // Copies, because the next piece of a file overwrites this one.
  if (body !== undefined) for await (const piece of sendPieces(body)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Collects the facts of a response other than its body, from its headers and its request. */
export function collectFacts(
  requested: string,
  { authorization, hasToken = authorization !== undefined, body }: Message,
  status: number,
  header: (
    name: 'age' | 'date' | 'location' | 'retry-after' | 'server' | 'www-authenticate',
  ) => string | undefined,
): Omit<HttpAnswer, 'status' | 'bytes'> {
  const isCached = /[1-9]/.test(header('age') ?? '')
  const answeredAtMs = isCached ? undefined : parseHttpDate(header('date') ?? '')
  const wait = parseRetryAfter(header('retry-after'), answeredAtMs)
  const isRedirect = status >= 300 && status < 400
  const server = header('server')
  const realm = parseRealm(header('www-authenticate'))
  const sentBytes = status >= 400 ? countBytes(body) : 0
  return {
    ...(server !== undefined && { server }),
    ...(realm !== undefined && { realm }),
    ...(hasToken && { hadToken: true as const }),
    ...(sentBytes > 0 && { sentBytes }),
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(isCached && { isCached }),
    ...(isRedirect && { redirect: parseRedirect(requested, header('location')) }),
  }
}

/** Parses the realm of a Basic, Digest, Negotiate or NTLM challenge; no site sends one. RFC 9110 §11.6.1. */
function parseRealm(challenge: string | undefined): string | undefined {
  if (challenge === undefined || !/^\s*(?:Basic|Digest|Negotiate|NTLM)\b/i.test(challenge)) return undefined
  return /\brealm\s*=\s*"([^"]{0,200})"/i.exec(challenge)?.[1] ?? ''
}

/** Returns the first value of a header that may occur twice. */
export function firstHeader(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

const bounds = { leastMs: 1_000, mostMs: 5 * 60_000 } as const

/**
 * Parses the pause that a response asks for: seconds or a date (RFC 9110 §10.2.3), between one second and five minutes. A
 * date counts from the date of the response if it has one, independent of this machine's clock.
 */
export function parseRetryAfter(
  value: string | undefined,
  answeredAtMs: number | undefined,
): number | undefined {
  const text = value?.trim() ?? ''
  const until = parseHttpDate(text)
  const fromDateMs = until === undefined ? undefined : until - (answeredAtMs ?? Date.now())
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1_000 : fromDateMs
  return askedMs === undefined ? undefined : Math.min(Math.max(askedMs, bounds.leastMs), bounds.mostMs)
}

/** Parses a date of HTTP as milliseconds since 1970. Checks its form first, because `Date.parse` accepts nearly any text. */
export function parseHttpDate(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const signIn =
  /(?:^|[^a-z])(?:log-?in|sign-?in|log-?on|sign-?on|sso|saml2?|adfs|oauth2?|openid[a-z-]*|oidc|authorize)(?:[^a-z]|$)/i

/** A redirect, possibly to a sign-in page. */
export type ParsedRedirect = Omit<Redirect, 'to'> & { readonly to?: Redirect['to'] | 'sign-in' }

/** Parses a `location` header in relation to the requested URL; empty if it cannot be parsed. RFC 9110 §10.2.2. */
export function parseRedirect(requested: string, location: string | undefined): ParsedRedirect {
  if (location === undefined || !URL.canParse(location, requested)) return {}
  const from = new URL(requested)
  const { origin, pathname, host } = new URL(location, requested)
  const target = origin === from.origin ? pathname : `${origin}${pathname}`
  // A container behind a TLS-terminating proxy names its own scheme. The caller adds the slash to the URL that it requested.
  if (host === from.host && pathname === `${from.pathname}/`) return { to: 'slash', target }
  return { to: signIn.test(`${host}${pathname}`) ? 'sign-in' : 'elsewhere', target }
}
