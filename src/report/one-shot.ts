import type { ServiceFailure } from '../client/failure.js'
import type { ListedWebhooks } from '../client/site-operator.js'
import type { ExportRequest, ExportTarget } from '../client/wire/form-requests.js'
import { exportFileEnding } from '../contract/responses.js'
import { findIntroduction, type ServiceVersion } from '../contract/versions.js'
import type { DeleteOutcome, ExportOutcome } from '../operations/outcome.js'
import { display } from './display.js'
import { describeFailure } from './endings/service.js'
import { type EndFacts, endDocument } from './events.js'
import { formatNumber, formatSentence } from './phrase.js'
import type { Paint } from './terminal.js'

/** An export as its report names it. */
export type ExportSummary = Pick<ExportRequest, 'location' | 'target' | 'validate'>

/** Describes an export to people before they confirm it. Service §1, §4.1. */
export function formatExport(
  { url, version }: { readonly url: string; readonly version: ServiceVersion | undefined },
  { location, target, validate }: ExportSummary,
  paint: Paint,
): string {
  const effect = validate ? (version === undefined ? effects.asked : effects.checked) : effects.exported
  return joinLines([
    `${paint('bold', 'export-site')}  ${display(url)}`,
    `  location   ${display(location)}`,
    ...formatStore(target),
    effect,
  ])
}

const effects = {
  checked: 'Only checks whether an export could be written there; nothing is exported.',
  asked: `Checks whether an export could be written there. A service before ${findIntroduction('exportSite validate')} may ignore the check and export; pass --service-version to rule that out.`,
  exported:
    'Writes the content of all items and a snapshot of the database there, to a new file that Landform cannot remove. Public sources advise against any other administrative change while it runs.',
} as const

function formatStore(target: ExportTarget): readonly string[] {
  switch (target.kind) {
    case 'folder':
      return []
    case 'bucket':
      return [`  bucket     ${display(target.name)}, region ${display(target.region)}`]
    case 'container':
      return [`  container  ${display(target.url)}, account ${display(target.accountName)}`]
    default:
      return target satisfies never
  }
}

/** Formats the messages of the service about an export, one per line. */
export function formatMessages(outcome: ExportOutcome): string {
  const word = outcome.kind === 'warned' ? 'warning' : 'message'
  return joinLines(listMessages(outcome).map(message => `  ${word}: ${display(message, 500)}`))
}

function listMessages(outcome: ExportOutcome): readonly string[] {
  return 'messages' in outcome ? (outcome.messages ?? []) : []
}

/** Names the place to check after an export whose outcome is unknown. */
export function describeExportCheck({ location, target }: ExportSummary, since: string): string {
  const store =
    target.kind === 'bucket'
      ? ` and in the bucket ${display(target.name)}`
      : target.kind === 'container'
        ? ` and in the container ${display(target.url)}`
        : ''
  return `check ${display(location)}${store} for a ${exportFileEnding} file that appeared since ${since}`
}

/** The machine form of an export; its schema is `schemas/export.schema.json`. */
export function exportDocument(
  url: string,
  request: ExportSummary,
  { outcome, ...ending }: WithEnd<ExportOutcome>,
) {
  const { location, target, validate } = request
  const store = target.kind === 'bucket' ? target.name : target.kind === 'container' ? target.url : null
  const file = 'location' in outcome ? outcome.location : undefined
  return {
    formatVersion: 1,
    operation: 'exportSite',
    target: { url, location, variant: target.kind, store, validate },
    ...endDocument(outcome, ending),
    ...(file !== undefined && { file }),
    messages: listMessages(outcome),
  } as const
}

/** An outcome together with the facts of its end. */
export type WithEnd<O> = EndFacts & { readonly outcome: O }

function joinLines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}

/** The service whose webhooks are deleted. */
interface WebhooksTarget {
  readonly url: string
  readonly service: string
  readonly confirmation: string
}

/** Describes a deletion to people before they confirm it. Service §1, §4.2. */
export function formatDeletion({ url, service }: WebhooksTarget, paint: Paint): string {
  const effect =
    'Permanently deletes all webhooks of this service: no documented operation restores them. To disable them temporarily the service has another operation, deactivate (public sources: deactivateAll), which Landform does not call.'
  return joinLines([`${paint('bold', 'webhooks delete-all')}  ${display(service)}  ${display(url)}`, effect])
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
  const title = `The site reports ${formatNumber(count, 'webhook')}:`
  return joinLines([title, ...names.map(name => `  ${display(name, 100)}`), ...more])
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
    ...endDocument(outcome, ending),
  } as const
}
