import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'

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

/** Formats the counts, and the reason why the run stopped. */
export function describeRun({ sites, halt, waves }: FleetRun): string {
  const { done, notDone, notBegun } = countOutcomes(sites)
  const counts = `${done} done, ${notDone} not done, ${notBegun} not started`
  const begun = Math.max(0, ...sites.map(({ wave, exitCode }) => (exitCode === null ? 0 : (wave ?? 0))))
  return halt === undefined ? counts : `${counts}; ${haltWords[halt]} wave ${begun} of ${waves.length}`
}

const haltWords = {
  'stop-rule': 'stopped because a site failed in',
  interrupted: 'interrupted in',
} as const
