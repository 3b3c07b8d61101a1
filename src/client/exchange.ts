import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { failed, type Reply } from './failure.js'
import { type Limit, problem, usualMostBytes } from './limit.js'
import type { HttpAnswer, HttpRequest, PiecedBody } from './message.js'
import { redirectOf } from './redirect.js'
import { httpDate, retryAfterMs } from './retry-after.js'
import { Client } from './undici.js'
import type { Body } from './wire/multipart.js'

/** The message that undici publishes just before it writes the first byte of a request. */
const sendHeaders = 'undici:client:sendHeaders'

/** The connections on which undici has begun to write. */
const written = new WeakSet<object>()
const note = (message: unknown) => written.add((message as { readonly socket: object }).socket)
/** Channels that are not ended yet: one listener is there for all of them, for each would hear of every request. */
let channels = 0

/** The longest that a connection is kept for another look; a site that says so has it closed before. */
const idleMs = 30_000
const over = problem('OVER')

/** A request without its time limits. */
export type Asked = Omit<HttpRequest, 'deadlineMs' | 'signal' | 'route'>

/** HTTP on a connection that was made for it. Who opens it ends it. */
export interface Channel {
  /**
   * Sends one request, once: no redirects, no retries, no compression. `not-sent` means that undici never began to write
   * on this connection, whatever the name of the error.
   */
  ask(request: Asked, limit: Limit): Promise<Reply<HttpAnswer>>
  /** False where no other request may follow. */
  isOpen(): boolean
  end(): Promise<void>
}

/** Sends one request, once, and ends the connection. */
export async function exchange(socket: Socket, request: Asked, limit: Limit): Promise<Reply<HttpAnswer>> {
  const channel = channelOn(socket, request.url)
  try {
    return await channel.ask(request, limit)
  } finally {
    await channel.end()
  }
}

/** A channel to the site at an address. */
export function channelOn(socket: Socket, url: string): Channel {
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
    async ask(request, limit) {
      isWhole = false
      try {
        if (socket.readableLength > 0) throw problem('ANSWERED_BEFORE_ASKED')
        const answer = await client.request({
          method: request.method,
          path: targetOf(pathname, request.path),
          headers: headersOf(request),
          body: sendable(request.body),
          signal: limit.signal,
        })
        const isEncoded = !/^(?:identity)?$/i.test(textOf(answer.headers['content-encoding']) ?? '')
        const mostBytes = request.mostAnswerBytes ?? usualMostBytes
        const bytes = isEncoded ? Buffer.alloc(0) : await readAll(answer.body, mostBytes)
        isWhole = !isEncoded
        const value = {
          status: answer.statusCode,
          bytes,
          ...(isEncoded && { isEncoded }),
          ...saidInHeaders(request, answer.statusCode, name => textOf(answer.headers[name])),
        }
        return { ok: true, value }
      } catch (error) {
        if (!written.has(socket)) return limit.notSent(error)
        return failed({ kind: 'no-answer', reason: limit.reasonOf(error) })
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
function sendable(body: HttpRequest['body']): Buffer | null {
  if (body === undefined) return null
  const [first = Buffer.alloc(0), ...more] = piecesOf(body)
  return more.length === 0 ? first : (piecesOf(body) as unknown as Buffer)
}

/** A body in the pieces that it is sent in. */
export function piecesOf(body: Body | PiecedBody): readonly Buffer[] {
  return 'pieces' in body ? body.pieces : [body.bytes]
}

/** Parses the headers of an answer: its date, the pause that it asks for, and its redirect. */
export function saidInHeaders(
  { url, path }: Pick<Asked, 'url' | 'path'>,
  status: number,
  header: (name: 'date' | 'location' | 'retry-after') => string | undefined,
): Pick<HttpAnswer, 'answeredAtMs' | 'redirect' | 'retryAfterMs'> {
  const answeredAtMs = httpDate(header('date') ?? '')
  const wait = retryAfterMs(header('retry-after'), answeredAtMs)
  const { origin, pathname } = new URL(url)
  const isRedirect = status >= 300 && status < 400
  return {
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(isRedirect && { redirect: redirectOf(`${origin}${targetOf(pathname, path)}`, header('location')) }),
  }
}

/** The headers of a request. */
export function headersOf({ url, body, authorization }: Asked): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    // A token may be bound to it, as public sources have it.
    referer: url,
    ...(body !== undefined && {
      'content-type': body.contentType,
      'content-length': `${piecesOf(body).reduce((sum, { byteLength }) => sum + byteLength, 0)}`,
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
    queueMicrotask(() => (next === undefined ? done(problem('CONNECTION_LOST'), null) : done(null, next)))
  }
}

/** A site at the top of its host still needs a slash before the query. */
export function targetOf(base: string, path: string): string {
  const target = `${base.replace(/\/+$/, '')}${path}`
  return target.startsWith('/') ? target : `/${target}`
}

async function readAll(body: Dispatcher.ResponseData['body'], mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > mostBytes) throw problem('ANSWER_TOO_LARGE')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  // One of them may hold a token; of the whole its reader takes care.
  for (const chunk of chunks) chunk.fill(0)
  return bytes
}

/** A header that is there twice is read once. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}
