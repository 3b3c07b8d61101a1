import { type Asked, headersOf, piecesOf, saidInHeaders, targetOf } from './exchange.js'
import { failed, type Reply } from './failure.js'
import { usualMostBytes } from './limit.js'
import type { HttpAnswer } from './message.js'
import type { Transport } from './route.js'

/** Hands one request to a transport; the answer is what it would be over a connection. */
export async function sentOver(
  transport: Transport,
  request: Asked & { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Reply<HttpAnswer>> {
  const { method, body, deadlineMs, signal, mostAnswerBytes: mostBytes = usualMostBytes } = request
  const answer = await transport({
    method,
    target: targetOf(new URL(request.url).pathname, request.path),
    headers: headersOf(request),
    bytes: Buffer.concat(body === undefined ? [] : piecesOf(body)),
    deadlineMs,
    mostBytes,
    signal,
  })
  if (answer.kind === 'none') return failed({ kind: 'no-answer', reason: answer.reason })
  const { status, headers, bytes } = answer
  return { ok: true, value: { status, bytes, ...saidInHeaders(request, status, name => headers[name]) } }
}
