import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'

/** How a site ended in a run over many. */
export type SiteOutcome =
  | Outcome['kind']
  /** The plan had no step to take. */
  | 'nothing-to-do'
  /** It could not be planned, or its plan may not be performed; nothing was sent. */
  | 'not-planned'
  /** The run ended before its turn; nothing was sent. */
  | 'not-begun'
  /** A defect of Landform. */
  | 'internal'

/** What became of one site. */
export interface SiteResult {
  /** The name of its manifest or, where that is not known or not its alone, the file. */
  readonly site: string
  readonly file: string
  /** Null where the manifest could not be read. */
  readonly url: string | null
  /** The wave that it was in, from 1; null where it was in none. */
  readonly wave: number | null
  readonly outcome: SiteOutcome
  /** What an apply to this site alone would have ended with; null where it was not begun. */
  readonly exitCode: number | null
  readonly message: string
  readonly next?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly diagnostics: readonly Diagnostic[]
}

/** How a run over many sites ended. */
export interface FleetRun {
  readonly exitCode: number
  /** Why not all waves were begun; absent where they were. */
  readonly halt?: 'stop-rule' | 'interrupted'
  /** How many sites each wave has. */
  readonly waves: readonly number[]
  readonly sites: readonly SiteResult[]
}

/** How many sites ended in which way. */
export function countsOf(sites: readonly SiteResult[]) {
  const done = sites.filter(({ exitCode }) => exitCode === 0).length
  const notBegun = sites.filter(({ exitCode }) => exitCode === null).length
  return { sites: sites.length, done, notDone: sites.length - done - notBegun, notBegun }
}

/** The counts in words, and why the run did not go on. */
export function describeRun({ sites, halt, waves }: FleetRun): string {
  const { done, notDone, notBegun } = countsOf(sites)
  const counts = `${done} done, ${notDone} not done, ${notBegun} not begun`
  const begun = Math.max(0, ...sites.map(({ wave, exitCode }) => (exitCode === null ? 0 : (wave ?? 0))))
  return halt === undefined ? counts : `${counts}; ${haltWords[halt]} wave ${begun} of ${waves.length}`
}

const haltWords = {
  'stop-rule': 'a site did not end well, so nothing was begun after',
  interrupted: 'interrupted in',
} as const
