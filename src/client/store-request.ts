import { connect } from './connection.js'
import { type ExchangeRequest, exchange } from './exchange.js'
import type { Reply } from './failure.js'
import { withDeadline } from './limit.js'
import type { HttpAnswer } from './message.js'
import type { Route } from './route.js'

/** The time limit of a request to a server that keeps state, which answers with a few kilobytes. */
const deadlineMs = 20_000
/** A version has some kilobytes, a page of a listing some hundred. */
const maxAnswerBytes = 32 * 1024 * 1024

/** Never aborted: a run that is interrupted still has to write how it ended. */
const { signal } = new AbortController()

/** Sends one request, once, to a server that keeps state or grants access to it, and never to a site. */
export function sendToStore(request: ExchangeRequest, route: Route): Promise<Reply<HttpAnswer>> {
  return withDeadline(deadlineMs, signal, async limit => {
    const connected = await connect(request.url, limit, route)
    return connected.ok ? exchange(connected.value, { maxAnswerBytes, ...request }, limit) : connected
  })
}
