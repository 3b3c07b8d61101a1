import type { ServiceFailure } from '../client/failure.js'
import type { ListedWebhooks, WebhooksRequest } from '../client/site-operator.js'
import type { UnsentOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'
import { withSecrets } from './with-secrets.js'

/** The result of listing webhooks. Not every site reports them; a deletion is possible without the list. */
export type WebhooksListing =
  | UnsentOutcome
  /** No connection could be made. */
  | { readonly kind: 'not-reached'; readonly failure: ServiceFailure }
  | { readonly kind: 'listed'; readonly webhooks: ListedWebhooks }
  /** With the failure, if there was one. */
  | { readonly kind: 'not-said'; readonly failure?: ServiceFailure }

/** Lists the webhooks of a service; only reads. */
export async function listWebhooks(
  request: WebhooksRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<WebhooksListing> {
  return withSecrets([request.token], { ports, options }, async (secrets): Promise<WebhooksListing> => {
    const reply = await ports.client.webhooks(request, secrets, options)
    if (options.signal.aborted) return { kind: 'interrupted' }
    if (reply.ok)
      return reply.value === undefined ? { kind: 'not-said' } : { kind: 'listed', webhooks: reply.value }
    const { error: failure } = reply
    return { kind: failure.kind === 'not-sent' ? 'not-reached' : 'not-said', failure }
  })
}
