import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { failed, type Reply } from './failure.js'
import type { HttpAnswer, HttpRequest } from './http.js'
import { type Limit, problem } from './limit.js'
import { retryAfterMs } from './retry-after.js'

/** What undici tells just before it writes the first byte of a request. */
const sendHeaders = 'undici:client:sendHeaders'

const usualMostBytes = 4 * 1024 * 1024

/**
 * Sends one request, once, on a connection that was made for it: no redirects, no retries, no compression. `not-sent`
 * stands on undici never having begun to write on this connection, whatever the error is called.
 */
export async function exchange(
  socket: Socket,
  request: Omit<HttpRequest, 'deadlineMs' | 'signal'>,
  limit: Limit,
): Promise<Reply<HttpAnswer>> {
  let begun = false
  const note = (message: unknown) => {
    if ((message as { readonly socket?: unknown }).socket === socket) begun = true
  }
  const { origin, pathname } = new URL(request.url)
  const client = new Client(origin, {
    allowH2: false,
    connect: handOver(socket),
    // The limit bounds everything; undici's own would not end with a flood of provisional answers.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  })
  subscribe(sendHeaders, note)
  try {
    if (socket.readableLength > 0) throw problem('ANSWERED_BEFORE_ASKED')
    const answer = await client.request({
      method: request.method,
      path: targetOf(pathname, request.path),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        // A token may be bound to it, as public sources have it.
        referer: request.url,
        ...(request.body !== undefined && { 'content-type': request.body.contentType }),
        ...(request.authorization !== undefined && { authorization: request.authorization }),
      },
      body: request.body?.bytes ?? null,
      signal: limit.signal,
    })
    const isEncoded = !/^(?:identity)?$/i.test(textOf(answer.headers['content-encoding']) ?? '')
    const wait = retryAfterMs(textOf(answer.headers['retry-after']), textOf(answer.headers['date']))
    const mostBytes = request.mostAnswerBytes ?? usualMostBytes
    return {
      ok: true,
      value: {
        status: answer.statusCode,
        bytes: isEncoded ? Buffer.alloc(0) : await readAll(answer.body, mostBytes),
        ...(isEncoded && { isEncoded }),
        ...(wait !== undefined && { retryAfterMs: wait }),
      },
    }
  } catch (error) {
    return begun ? failed({ kind: 'no-answer', reason: limit.reasonOf(error) }) : limit.notSent(error)
  } finally {
    unsubscribe(sendHeaders, note)
    // Not `close`, which waits for an answer that may never end.
    await client.destroy()
    socket.destroy()
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
function targetOf(base: string, path: string): string {
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
