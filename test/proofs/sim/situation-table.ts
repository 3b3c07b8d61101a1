import type { SubmissionState } from '../../../src/plan/submission.js'

/** The journal of an earlier run. */
export const journals = [
  'none',
  'intent',
  'not-sent',
  'rejected',
  'acknowledged',
  'unknown',
  'begun',
  'ready',
  'failed',
  'cleared',
] as const satisfies readonly (SubmissionState | 'none')[]

export type Journal = (typeof journals)[number]

/** The site as the next run finds it. */
const sites = [
  'not-configured',
  'in-progress',
  'ready',
  'failed',
  'unrecognized',
  'unreachable',
  'without a token',
  'behind a login page',
  'in trouble',
  'garbled',
] as const

export type SiteKind = (typeof sites)[number]

/** The holder of the lock: none, a process of this machine, or one of another, with or without a lease. */
const locks = ['nobody', 'alive', 'paused', 'dead', 'elsewhere', 'live lease', 'expired lease'] as const

export type LockKind = (typeof locks)[number]

/** The situation in which a run starts. */
export interface Situation {
  readonly journal: Journal
  readonly site: SiteKind
  readonly lock: LockKind
}

export const situations: readonly Situation[] = journals.flatMap(journal =>
  sites.flatMap(site => locks.map(lock => ({ journal, site, lock }))),
)

const seen: Readonly<Partial<Record<SiteKind, number>>> = {
  failed: 5,
  unrecognized: 4,
  unreachable: 69,
  'without a token': 77,
  'behind a login page': 77,
  'in trouble': 75,
  garbled: 75,
}

const emptyHanded: Readonly<Record<Journal, number>> = {
  none: 0,
  intent: 4,
  'not-sent': 0,
  rejected: 4,
  acknowledged: 4,
  unknown: 4,
  begun: 6,
  ready: 6,
  failed: 6,
  cleared: 0,
}

/** Returns the expected exit code of one more apply. It depends on the site first, then on the lock, then on the journal. */
export function codeOf({ journal, site, lock }: Situation): number {
  const code = seen[site]
  if (code !== undefined) return code
  const isLost = site === 'not-configured' && emptyHanded[journal] === 6
  if (isLost) return 6
  if (lock === 'alive' || lock === 'paused' || lock === 'elsewhere' || lock === 'live lease') return 7
  return site === 'not-configured' ? emptyHanded[journal] : 0
}

/** Returns the expected exit code of the last apply, after the repair. Only a failed site ends differently. */
export function lastCodeOf({ site }: Situation): number {
  return site === 'failed' ? 5 : 0
}

/** Formats a situation as the value of `--situation`. */
export function nameOf({ journal, site, lock }: Situation): string {
  return [journal, site, lock].join(' / ')
}
