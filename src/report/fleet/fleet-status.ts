import type { Observation } from '../../plan/observation.js'
import { formatProgress } from '../event-text.js'
import { type CommandFailure, failureDocument } from '../failure-json.js'
import type { Paint } from '../paint.js'
import { statusDocument } from '../status.js'
import { formatTextTable } from './text-table.js'

/** The observed status of one site of many. */
export interface SiteStatus {
  readonly site: string
  readonly file: string
  readonly url: string | null
  readonly exitCode: number
  readonly observed?: Observation
  readonly failure?: CommandFailure
}

/** Formats the status of many sites, one a line. */
export function formatStatuses(polls: readonly SiteStatus[], paint: Paint): string {
  const rows = polls.map(({ site, observed, failure }) => {
    if (observed === undefined) return [site, '-', '-', `error (${failure?.exitCode}): ${failure?.message}`]
    const { kind, version = '-', stages, message = '' } = observed
    const state = kind === 'unrecognized' ? `unrecognized: ${observed.state}` : kind
    return [site, state, version, stages.length > 0 ? formatProgress(stages) : message]
  })
  const [head = '', ...lines] = formatTextTable(['site', 'state', 'version', 'more'], rows)
  return [paint('dim', head), ...lines, ''].join('\n')
}

/** The machine form; its schema is `schemas/fleet-status.schema.json`. */
export function fleetStatusDocument(polls: readonly SiteStatus[]) {
  return {
    formatVersion: 1,
    sites: polls.map(({ site, file, url, exitCode, observed, failure }) => ({
      site,
      file,
      url,
      exitCode,
      status: observed === undefined ? null : statusDocument(url ?? '', observed),
      error: failure === undefined ? null : failureDocument(failure).error,
    })),
  } as const
}
