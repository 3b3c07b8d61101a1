import type { SubmissionState } from '../../../src/plan/submission.js'

/** How far an earlier run came, as the state has it. */
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

/** How a site may be met. */
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

/** Who has the site: nobody; a process of this machine; or one of another, with a lease or with none. */
const locks = ['nobody', 'alive', 'paused', 'dead', 'elsewhere', 'live lease', 'expired lease'] as const

export type LockKind = (typeof locks)[number]

/** Where a run begins. */
export interface Situation {
  readonly journal: Journal
  readonly site: SiteKind
  readonly lock: LockKind
}

/** Every situation there is. */
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

/** What one more apply ends with. What the site shows counts first, then who has it, then what was promised. */
export function codeOf({ journal, site, lock }: Situation): number {
  const code = seen[site]
  if (code !== undefined) return code
  const isLost = site === 'not-configured' && emptyHanded[journal] === 6
  if (isLost) return 6
  if (lock === 'alive' || lock === 'paused' || lock === 'elsewhere' || lock === 'live lease') return 7
  return site === 'not-configured' ? emptyHanded[journal] : 0
}

/** What the matter comes to, once what hinders from outside is repaired. Only a failed site is an end of another kind. */
export function lastCodeOf({ site }: Situation): number {
  return site === 'failed' ? 5 : 0
}

/** Names a situation, as it is asked for again. */
export function nameOf({ journal, site, lock }: Situation): string {
  return [journal, site, lock].join(' / ')
}
