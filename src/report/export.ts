import type { ExportRequest, ExportTarget } from '../client/wire/export-fields.js'
import { exportFileEnding } from '../contract/states.js'
import { findIntroduction, type ServiceVersion } from '../contract/versions.js'
import type { ExportOutcome } from '../operations/outcome.js'
import { display } from './display.js'
import { describeOneShotFailure, type OneShotEnd, oneShotEndDocument } from './one-shot.js'
import type { Paint } from './paint.js'

interface ExportSite {
  readonly url: string
  readonly version: ServiceVersion | undefined
}

type ExportSummary = Pick<ExportRequest, 'location' | 'target' | 'validate'>

/** Describes an export to people before they confirm it. Service §1, §4.1. */
export function formatExport(
  site: ExportSite,
  { location, target, validate }: ExportSummary,
  paint: Paint,
): string {
  const { url, version } = site
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

/** Describes the outcome of an export in one sentence. */
export function describeExport(outcome: ExportOutcome, { validate }: ExportSummary): string {
  switch (outcome.kind) {
    case 'done':
      return validate
        ? 'checked: an export can be written there'
        : `exported to ${display(outcome.location ?? '')}`
    case 'warned':
      return `exported with a warning to ${display(outcome.location ?? '')}`
    default:
      return describeOneShotFailure(
        outcome,
        'exportSite',
        validate ? 'the check failed' : 'the site was not exported',
      )
  }
}

/** Formats the warnings of the service about an export, one a line. */
export function formatMessages(outcome: ExportOutcome): string {
  return outcome.kind === 'warned'
    ? joinLines(outcome.messages.map(message => `  warning: ${display(message, 500)}`))
    : ''
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
    ...oneShotEndDocument(outcome, ending),
    ...(file !== undefined && { file }),
    messages: outcome.kind === 'warned' ? outcome.messages : [],
  } as const
}

/** An outcome together with the facts of its end. */
export type WithEnd<O> = OneShotEnd & { readonly outcome: O }

function joinLines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}
