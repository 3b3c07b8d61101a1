import { type Asked, headersOf, piecesOf, saidInHeaders, targetOf, usualMostBytes } from './exchange.js'
import { failed, type Reply } from './failure.js'
import type { HttpAnswer } from './http.js'

/** A request as it would be written on a connection. */
export interface TransportRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** How long the call may take, on whatever clock the transport lives by. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

/** What comes back of a request: a whole answer, or why there is none although it went out. */
export type Transported =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly bytes: Buffer
    }
  | { readonly kind: 'none'; readonly reason: string }

/** Carries requests in place of connections: to a site in the same process, with a time of its own. */
export type Transport = (request: TransportRequest) => Promise<Transported>

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
