import { connect } from './connection.js'
import { type ExchangeRequest, exchange } from './exchange.js'
import type { Reply } from './failure.js'
import { withDeadline } from './limit.js'
import type { HttpAnswer } from './message.js'
import type { Route } from './route.js'
import { sendOver } from './transport.js'

/** The limits of a call. */
interface CallLimits {
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** A way to a site that is open, and on which nothing was sent: for one request. */
export interface Call {
  send(request: ExchangeRequest, allowed: CallLimits): Promise<Reply<HttpAnswer>>
  close(): void
}

/** Opens a way to a site. Nothing is sent. */
export async function openCall(
  url: string,
  { deadlineMs, signal }: CallLimits,
  route: Route,
): Promise<Reply<Call>> {
  const { transport } = route
  if (transport !== undefined) {
    const value: Call = {
      send: (request, allowed) => sendOver(transport, { ...request, ...allowed }),
      close: () => undefined,
    }
    return { ok: true, value }
  }
  const connected = await withDeadline(deadlineMs, signal, limit => connect(url, limit, route))
  if (!connected.ok) return connected
  const socket = connected.value
  const value: Call = {
    send: (request, allowed) =>
      withDeadline(allowed.deadlineMs, allowed.signal, limit => exchange(socket, request, limit)),
    close: () => socket.destroy(),
  }
  return { ok: true, value }
}
