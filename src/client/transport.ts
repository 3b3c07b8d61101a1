import { buildHeaders, type ExchangeRequest, joinTarget, parseHeaders, sendPieces } from './exchange.js'
import { type Reply, toFailure } from './failure.js'
import { defaultMaxBytes } from './limit.js'
import type { HttpAnswer } from './message.js'
import type { Transport } from './route.js'

/** Hands one request to a transport; the answer is what it would be over a connection. */
export async function sendOver(
  transport: Transport,
  request: ExchangeRequest & { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Reply<HttpAnswer>> {
  const { method, body, deadlineMs, signal, maxAnswerBytes: maxBytes = defaultMaxBytes } = request
  const answer = await transport({
    method,
    target: joinTarget(new URL(request.url).pathname, request.path),
    headers: buildHeaders(request),
    bytes: await joinPieces(body),
    deadlineMs,
    maxBytes: maxBytes,
    signal,
  })
  if (answer.kind === 'none') return toFailure({ kind: 'no-answer', reason: answer.reason })
  const { status, headers, bytes } = answer
  return { ok: true, value: { status, bytes, ...parseHeaders(request, status, name => headers[name]) } }
}

async function joinPieces(body: ExchangeRequest['body']): Promise<Buffer> {
  const pieces: Buffer[] = []
  // Copies: a piece of a file is overwritten by a later one.
  if (body !== undefined) for await (const piece of sendPieces(body)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
