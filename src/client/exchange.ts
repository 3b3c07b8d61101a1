import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { type Reply, toFailure } from './failure.js'
import { createCodeError, defaultMaxBytes, type Limit } from './limit.js'
import type { HttpAnswer, HttpRequest, PiecedBody } from './message.js'
import { firstHeader, type Received, receive } from './receive.js'
import { parseRedirect } from './redirect.js'
import { parseHttpDate, parseRetryAfter } from './retry-after.js'
import { Client } from './undici.js'
import type { PartOfBody, RequestBody } from './wire/multipart.js'

/** The message that undici publishes just before it writes the first byte of a request. */
const sendHeaders = 'undici:client:sendHeaders'

/** The connections on which undici has begun to write. */
const written = new WeakSet<object>()
const note = (message: unknown) => written.add((message as { readonly socket: object }).socket)
/** Channels that are not ended yet: one listener is there for all of them, for each would hear of every request. */
let channels = 0

/** The longest that a connection is kept for another look; a site that says so has it closed before. */
const idleMs = 30_000
const over = createCodeError('OVER')

/** A request without its time limits. */
export interface ExchangeRequest extends Omit<HttpRequest, 'method' | 'deadlineMs' | 'signal' | 'route'> {
  readonly method: HttpRequest['method'] | 'PUT'
  /** The headers of a request that is not to a site, in place of those of one that is. */
  readonly headers?: Readonly<Record<string, string>>
  /** The header of the answer that is wanted, too. */
  readonly answerHeader?: string
}

/** HTTP on a connection that was made for it. Who opens it ends it. */
export interface Channel {
  /**
   * Sends one request, once: no redirects, no retries, no compression. `not-sent` means that undici never began to write
   * on this connection, whatever the name of the error.
   */
  send(request: ExchangeRequest, limit: Limit): Promise<Reply<HttpAnswer>>
  /** False where no other request may follow. */
  isOpen(): boolean
  end(): Promise<void>
}

/** Sends one request, once, and ends the connection. */
export async function exchange(
  socket: Socket,
  request: ExchangeRequest,
  limit: Limit,
): Promise<Reply<HttpAnswer>> {
  const channel = openChannel(socket, request.url)
  try {
    return await channel.send(request, limit)
  } finally {
    await channel.end()
  }
}

/** A channel to the site at an address. */
export function openChannel(socket: Socket, url: string): Channel {
  const { origin, pathname } = new URL(url)
  const client = new Client(origin, {
    allowH2: false,
    connect: handOver(socket),
    // The limit bounds everything; undici's own would not end with a flood of provisional answers.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    pipelining: 1,
    // What Node itself takes; its `node:http` is not loaded to be asked.
    maxHeaderSize: 16_384,
  })
  let isWhole = true
  let isEnded = false
  if (channels === 0) subscribe(sendHeaders, note)
  channels += 1
  return {
    isOpen: () => isWhole && !client.destroyed && !socket.destroyed && socket.readableLength === 0,
    async send(request, limit) {
      isWhole = false
      try {
        if (socket.readableLength > 0) throw createCodeError('ANSWERED_BEFORE_ASKED')
        const options = {
          method: request.method,
          path: joinTarget(pathname, request.path),
          headers: buildHeaders(request),
          body: toSendable(request.body),
        }
        const maxBytes = request.maxAnswerBytes ?? defaultMaxBytes
        const { status, bytes, headers } = await receive(client, options, { signal: limit.signal, maxBytes })
        const isEncoded = bytes === undefined
        isWhole = !isEncoded
        const value = {
          status,
          bytes: bytes ?? Buffer.alloc(0),
          ...(isEncoded && { isEncoded }),
          ...readWanted(request, headers),
          ...parseHeaders(request, status, name => firstHeader(headers[name])),
        }
        return { ok: true, value }
      } catch (error) {
        if (!written.has(socket)) return limit.notSent(error)
        return toFailure({ kind: 'no-answer', reason: limit.readReason(error) })
      }
    },
    async end() {
      if (!isEnded) channels -= 1
      isEnded = true
      if (channels === 0) unsubscribe(sendHeaders, note)
      // Not `close`, which waits for an answer that may never end. An error of its own would cost more than the rest.
      await client.destroy(over)
      socket.destroy()
    },
  }
}

/** undici sends one piece after the other of whatever can be iterated; its types do not say so. */
function toSendable(body: HttpRequest['body']): Buffer | null {
  if (body === undefined) return null
  const [first = Buffer.alloc(0), ...more] = listPieces(body)
  return more.length === 0 && Buffer.isBuffer(first) ? first : (sendPieces(body) as unknown as Buffer)
}

/** The bytes of a body, one piece after the other. A file is read meanwhile. */
export async function* sendPieces(body: RequestBody | PiecedBody): AsyncGenerator<Buffer> {
  for (const piece of listPieces(body))
    if (Buffer.isBuffer(piece)) yield piece
    else yield* piece.pieces()
}

/** A body in the pieces that it is sent in. */
export function listPieces(body: RequestBody | PiecedBody): readonly PartOfBody[] {
  return 'pieces' in body ? body.pieces : [body.bytes]
}

/** Parses the headers of an answer: its date, the pause that it asks for, and its redirect. */
export function parseHeaders(
  { url, path }: Pick<ExchangeRequest, 'url' | 'path'>,
  status: number,
  header: (name: 'date' | 'location' | 'retry-after') => string | undefined,
): Pick<HttpAnswer, 'answeredAtMs' | 'redirect' | 'retryAfterMs'> {
  const answeredAtMs = parseHttpDate(header('date') ?? '')
  const wait = parseRetryAfter(header('retry-after'), answeredAtMs)
  const isRedirect = status >= 300 && status < 400
  return {
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(isRedirect && { redirect: parseRedirect(joinAddress(url, path), header('location')) }),
  }
}

function joinAddress(url: string, path: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${joinTarget(pathname, path)}`
}

/** The headers of a request. */
export function buildHeaders({
  url,
  body,
  authorization,
  headers,
}: ExchangeRequest): Readonly<Record<string, string>> {
  if (headers !== undefined) return { 'accept-encoding': 'identity', ...headers }
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    // A token may be bound to it, as public sources have it.
    referer: url,
    ...(body !== undefined && {
      'content-type': body.contentType,
      'content-length': `${listPieces(body).reduce((sum, { byteLength }) => sum + byteLength, 0)}`,
    }),
    ...(authorization !== undefined && { authorization }),
  }
}

/** Gives the connection out once: where it died, undici would make another and send on that. */
function handOver(socket: Socket) {
  let rest: readonly Socket[] = [socket]
  return (_options: unknown, done: (...result: [null, Socket] | [Error, null]) => void) => {
    const [next] = rest
    rest = []
    // Not at once, for then undici misses it.
    queueMicrotask(() =>
      next === undefined ? done(createCodeError('CONNECTION_LOST'), null) : done(null, next),
    )
  }
}

/** A site at the top of its host still needs a slash before the query. */
export function joinTarget(base: string, path: string): string {
  const target = `${base.replace(/\/+$/, '')}${path}`
  return target.startsWith('/') ? target : `/${target}`
}

function readWanted(
  { answerHeader }: ExchangeRequest,
  headers: Received['headers'],
): Pick<HttpAnswer, 'header'> {
  const header = answerHeader === undefined ? undefined : firstHeader(headers[answerHeader])
  return header === undefined ? {} : { header }
}
