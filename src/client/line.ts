import { connect } from './connection.js'
import { type Channel, channelOn } from './exchange.js'
import type { ServiceFailure } from './failure.js'
import { within } from './limit.js'
import type { GetRequest } from './message.js'
import type { Line } from './site-client.js'
import { sentOver } from './transport.js'

/** The number of polls over one connection: a new one notices another address or another certificate. */
const mostLooks = 20

interface Kept extends Pick<GetRequest, 'url' | 'route'> {
  readonly channel: Channel
  readonly looks: number
}

/** A line that nothing was sent over yet. Who makes it closes it. */
export function newLine(): Line {
  let kept: Kept | undefined
  const close = () => {
    void kept?.channel.end()
    kept = undefined
  }
  return {
    close,
    async get({ url, path, route, authorization, mostAnswerBytes, deadlineMs, signal }) {
      const request = {
        method: 'GET',
        url,
        path,
        ...(authorization !== undefined && { authorization }),
        ...(mostAnswerBytes !== undefined && { mostAnswerBytes }),
      } as const
      const transport = route?.transport
      if (transport !== undefined) return sentOver(transport, { ...request, deadlineMs, signal })
      return within(deadlineMs, signal, async limit => {
        const over = async (one: Kept) => {
          const reply = await one.channel.ask(request, limit)
          const looks = one.looks + 1
          if (reply.ok && looks < mostLooks && kept === undefined && one.channel.isOpen())
            kept = { ...one, looks }
          else await one.channel.end()
          return reply
        }
        if (kept?.url !== url || kept.route !== route || !kept.channel.isOpen()) close()
        const before = kept
        // Nobody else may use it meanwhile.
        kept = undefined
        if (before !== undefined) {
          const reply = await over(before)
          if (reply.ok || limit.signal.aborted || !isLost(reply.error)) return reply
        }
        const connected = await connect(url, limit, route)
        if (!connected.ok) return connected
        return over({ channel: channelOn(connected.value, url), looks: 0, url, ...(route && { route }) })
      })
    },
  }
}

const lost: readonly string[] = ['CONNECTION_LOST', 'UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** True where the connection ended before an answer did, as an idle one may at any time. */
function isLost(failure: ServiceFailure): boolean {
  return failure.kind === 'no-answer' && lost.includes(failure.reason)
}
