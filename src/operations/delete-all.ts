import { isCertain } from '../client/is-certain.js'
import type { WebhooksRequest } from '../client/site-operator.js'
import type { DeleteOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'
import { isTokenRefused, unstoppable, withSecrets } from './with-secrets.js'

/**
 * Deletes all webhooks of one service, for good. Asks nobody and sends the request once: sent again it would also
 * delete what was made in between. A refusal of the token alone, which proves that nothing was done, is another matter:
 * then it is sent once more, if there is a newer one. Service §4.2.
 */
export async function deleteAll(
  request: WebhooksRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<DeleteOutcome> {
  return withSecrets(
    [request.token],
    { ports, options, mayRepeat: isTokenRefused },
    async (secrets): Promise<DeleteOutcome> => {
      const reply = await ports.client.deleteAll(request, secrets, unstoppable(options))
      if (reply.ok) return { kind: 'done' }
      return { kind: isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
    },
  )
}
