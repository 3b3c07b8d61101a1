import type { ListedWebhooks } from '../client/decode-webhooks.js'
import type { ServiceFailure } from '../client/failure.js'
import type { DeleteOutcome } from '../operations/outcome.js'
import { display } from './display.js'
import type { WithEnd } from './export.js'
import { describeFailure } from './failure-text.js'
import { describeOneShotFailure, oneShotEndDocument } from './one-shot.js'
import type { Paint } from './paint.js'
import { formatSentence } from './sentence.js'

/** The service whose webhooks are deleted. */
export interface WebhooksTarget {
  readonly url: string
  readonly service: string
  readonly confirmation: string
}

/** Describes a deletion to people before they confirm it. Service §1, §4.2. */
export function formatDeletion({ url, service }: WebhooksTarget, paint: Paint): string {
  const effect =
    'Permanently deletes all webhooks of this service: no documented operation restores them. To disable them temporarily the service has another operation, deactivate (public sources: deactivateAll), which Landform does not call.'
  return [`${paint('bold', 'webhooks delete-all')}  ${display(service)}  ${display(url)}`, effect]
    .map(line => `${line}\n`)
    .join('')
}

/** Lists the webhooks for people, or explains why they are not known. */
export function formatWebhooks(webhooks: ListedWebhooks | undefined, failure?: ServiceFailure): string {
  if (webhooks === undefined) {
    const why = failure === undefined ? '' : `: ${describeFailure(failure)}`
    return formatSentence(`the site does not report its webhooks${why}`)
  }
  const { count, names } = webhooks
  if (count === 0) return 'The site reports no webhooks.\n'
  const more = count > names.length ? [`  and ${count - names.length} more`] : []
  const title = `The site reports ${count === 1 ? '1 webhook' : `${count} webhooks`}:`
  return [title, ...names.map(name => `  ${display(name, 100)}`), ...more].map(line => `${line}\n`).join('')
}

/** Describes the outcome of a deletion in one sentence. */
export function describeDeletion(outcome: DeleteOutcome, { service }: WebhooksTarget): string {
  return outcome.kind === 'done'
    ? `deleted all webhooks of ${service}`
    : describeOneShotFailure(outcome, 'deleteAll', 'the webhooks were not deleted')
}

/** The machine form of a deletion; its schema is `schemas/webhooks.schema.json`. */
export function webhooksDocument(
  target: WebhooksTarget,
  webhooks: ListedWebhooks | undefined,
  { outcome, ...ending }: WithEnd<DeleteOutcome>,
) {
  return {
    formatVersion: 1,
    operation: 'deleteAll',
    target,
    webhooks: webhooks ?? null,
    ...oneShotEndDocument(outcome, ending),
  } as const
}
