import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { isRepeatable, type RunState } from '../../plan/run-state.js'
import { formatNumber } from '../plan/plan-words.js'
import { describeSites, describeStop } from './run-words.js'

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
  /** The wave of the site, from 1; null if it was in none. */
  readonly wave: number | null
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
  /** The reason why not all waves were started; absent if they were. */
  readonly halt?: 'stop-rule' | 'interrupted'
  /** The number of sites in each wave. */
  readonly waves: readonly number[]
  readonly sites: readonly SiteResult[]
}

/** Counts the sites by outcome. */
export function countOutcomes(sites: readonly SiteResult[]) {
  const done = sites.filter(({ exitCode }) => exitCode === 0).length
  const notBegun = sites.filter(({ exitCode }) => exitCode === null).length
  return { sites: sites.length, done, notDone: sites.length - done - notBegun, notBegun }
}

/** Counts the sites by state, and describes why the run stopped. */
export function describeRun({ sites, halt, waves }: FleetRun): string {
  const counts = describeSites(sites)
  if (halt === undefined) return counts
  const wave = Math.max(0, ...sites.map(one => (one.exitCode === null ? 0 : (one.wave ?? 0))))
  const place = { wave, waves: waves.length }
  return `${counts}; ${halt === 'stop-rule' ? describeStop(place) : `interrupted in wave ${wave} of ${waves.length}`}`
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
