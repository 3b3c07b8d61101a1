import type { Submission } from './generated/state.js'
import { findDifference, type MarkDifference, type SiteMark } from './site-mark.js'

export type {
  Drain,
  Holder,
  MachineTime,
  StageTiming,
  Submission,
  SubmissionState,
} from './generated/state.js'

/** The liveness of the process of a holder; `elsewhere` where it cannot be checked from this machine. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

/** True where a request, or its configuration, may be under way: the site is then only polled. */
export function isPending({ state }: Submission): boolean {
  return state === 'intent' || state === 'acknowledged' || state === 'unknown'
}

/** True where a complete answer left the outcome open. Its status and words are the reason. */
export function isAnswered({ state, reason = '' }: Submission): boolean {
  return state === 'unknown' && reason !== ''
}

/** True where the service rejected the request, and the site has not yet shown that nothing began. */
export function isRejection(
  submission: Submission | undefined,
): submission is Submission & Required<Pick<Submission, 'rejection'>> {
  return submission?.state === 'unknown' && submission.rejection !== undefined
}

/** True where our configuration is known to have begun. */
export function hasBegun({ state }: Submission): boolean {
  return state === 'begun' || state === 'ready' || state === 'failed'
}

/** True where the submission may have started the configuration that the site shows; otherwise it is foreign. */
export function mayBeOurs(submission: Submission): boolean {
  return isPending(submission) || hasBegun(submission)
}

/** Finds what shows that a site is another one than the site that an unfinished request was sent to. */
export function findOtherSite(
  submission: Submission | undefined,
  observed: SiteMark,
): MarkDifference | undefined {
  const [mark] = listSentMarks(submission)
  return mark && findDifference(mark, observed)
}

/** Lists the mark of the site that an unfinished request was sent to twice, so that it counts as known; none for any other. */
export function listSentMarks(submission: Submission | undefined): readonly SiteMark[] {
  const { site } = submission ?? {}
  const isUnfinished = submission !== undefined && (isPending(submission) || submission.state === 'begun')
  return isUnfinished && site !== undefined ? [site, site] : []
}
