import { connect } from './connection.js'
import { type Channel, openChannel } from './exchange.js'
import type { ServiceFailure } from './failure.js'
import { withDeadline } from './limit.js'
import type { GetRequest } from './message.js'
import type { PollConnection } from './site-client.js'
import { sendOver } from './transport.js'

/** The number of polls over one connection: a new one notices another address or another certificate. */
const maxPolls = 20

interface KeptChannel extends Pick<GetRequest, 'url' | 'route'> {
  readonly channel: Channel
  readonly polls: number
}

/** A line that nothing was sent over yet. Who makes it closes it. */
export function createPollConnection(): PollConnection {
  let kept: KeptChannel | undefined
  const close = () => {
    void kept?.channel.end()
    kept = undefined
  }
  return {
    close,
    async get({ url, path, route, authorization, maxAnswerBytes, deadlineMs, signal }) {
      const request = {
        method: 'GET',
        url,
        path,
        ...(authorization !== undefined && { authorization }),
        ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
      } as const
      const transport = route?.transport
      if (transport !== undefined) return sendOver(transport, { ...request, deadlineMs, signal })
      return withDeadline(deadlineMs, signal, async limit => {
        const over = async (one: KeptChannel) => {
          const reply = await one.channel.send(request, limit)
          const polls = one.polls + 1
          if (reply.ok && polls < maxPolls && kept === undefined && one.channel.isOpen())
            kept = { ...one, polls }
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
        return over({ channel: openChannel(connected.value, url), polls: 0, url, ...(route && { route }) })
      })
    },
  }
}

const lost: readonly string[] = ['CONNECTION_LOST', 'UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** True where the connection ended before an answer did, as an idle one may at any time. */
function isLost(failure: ServiceFailure): boolean {
  return failure.kind === 'no-answer' && lost.includes(failure.reason)
}
