import { connect } from './connection.js'
import { exchange } from './exchange.js'
import type { Reply } from './failure.js'
import { withDeadline } from './limit.js'
import type { HttpAnswer, HttpRequest } from './message.js'
import { sendOver } from './transport.js'

/**
 * Sends one request, once, on a connection of its own: an idle one may die under a POST, or hold the answer to
 * another request.
 */
export async function send(request: HttpRequest): Promise<Reply<HttpAnswer>> {
  const transport = request.route?.transport
  if (transport !== undefined) return sendOver(transport, request)
  return withDeadline(request.deadlineMs, request.signal, async limit => {
    const connected = await connect(request.url, limit, request.route)
    return connected.ok ? exchange(connected.value, request, limit) : connected
  })
}
