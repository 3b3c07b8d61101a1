import { isCertain } from '../client/failure.js'
import type { WebhooksRequest } from '../client/site-operator.js'
import type { DeleteOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'
import { isTokenRejected, withoutCancellation, withSecrets } from './with-secrets.js'

/**
 * Deletes all webhooks of one service, permanently. Does not ask for consent. Sends the request once: a retry would also
 * delete webhooks created in between. The one exception is a rejected token, which proves that nothing was done: then the
 * request is sent once more if there is a newer token. Service §4.2.
 */
export async function deleteAll(
  request: WebhooksRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<DeleteOutcome> {
  return withSecrets(
    [request.token],
    { ports, options, mayRepeat: isTokenRejected },
    async (secrets): Promise<DeleteOutcome> => {
      const reply = await ports.client.deleteAll(request, secrets, withoutCancellation(options))
      if (reply.ok) return { kind: 'done' }
      return { kind: isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
    },
  )
}
