import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { isRepeatable, type RunState } from '../../plan/run-state.js'
import { formatNumber } from '../plan/plan-words.js'
import { describeSites } from './run-words.js'

/** The outcome of a site in a run over many. */
export type SiteOutcome =
  | Outcome['kind']
  /** The plan had no changes. */
  | 'nothing-to-do'
  /** It could not be planned, or its plan cannot be applied; nothing was sent. */
  | 'not-planned'
  /** The run ended before its turn; nothing was sent. */
  | 'not-begun'
  /** A defect of Landform. */
  | 'internal'

/** The result of one site. */
export interface SiteResult {
  /** The name in its manifest; the file if the name is unknown or not unique. */
  readonly site: string
  readonly file: string
  /** Null if the manifest could not be read. */
  readonly url: string | null
  readonly outcome: SiteOutcome
  /** As in `landform fleet status`. */
  readonly state: RunState
  /** The exit code of an apply to this site alone; null if it was not started. */
  readonly exitCode: number | null
  readonly message: string
  readonly next?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The result of a run over many sites. */
export interface FleetRun {
  readonly exitCode: number
  /** Present if an interrupt kept some sites from starting. */
  readonly halt?: 'interrupted'
  readonly sites: readonly SiteResult[]
}

/** Counts the sites by outcome. */
export function countOutcomes(sites: readonly SiteResult[]) {
  const done = sites.filter(({ exitCode }) => exitCode === 0).length
  const notBegun = sites.filter(({ exitCode }) => exitCode === null).length
  return { sites: sites.length, done, notDone: sites.length - done - notBegun, notBegun }
}

/** Counts the sites by state, and says whether the run was interrupted. */
export function describeRun({ sites, halt }: FleetRun): string {
  return halt === undefined ? describeSites(sites) : `${describeSites(sites)}; ${halt}`
}

/**
 * Suggests how to go on, by the rule of `landform fleet resume`: sites that are done are left alone, and an ambiguous one
 * needs a decision first.
 */
export function suggestRerun({ sites }: FleetRun): string {
  const ambiguous = sites.filter(({ state }) => state === 'ambiguous').length
  const isOpen = sites.some(({ state }) => isRepeatable(state) || state === 'waiting')
  const again = 'then run the same command again: it skips those that are done'
  if (ambiguous === 0) return `fix the sites that failed, ${again}`
  const decide = `decide about ${formatNumber(ambiguous, 'ambiguous site')}, as shown above`
  return isOpen ? `${decide}, fix the others, ${again}` : `${decide}, ${again}`
}
