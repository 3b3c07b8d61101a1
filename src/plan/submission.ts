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

/** The liveness of a holder's process; `elsewhere` if this machine cannot check it. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

/** True if a request, or its configuration, may be under way: the site is then only polled. */
export function isPending({ state }: Submission): boolean {
  return state === 'intent' || state === 'acknowledged' || state === 'unknown'
}

/** True if a complete response left the outcome open. The `reason` then has its status and text. */
export function isAnswered({ state, reason = '' }: Submission): boolean {
  return state === 'unknown' && reason !== ''
}

/** True if the service rejected the request, and the site has not yet shown that nothing began. */
export function isRejection(
  submission: Submission | undefined,
): submission is Submission & Required<Pick<Submission, 'rejection'>> {
  return submission?.state === 'unknown' && submission.rejection !== undefined
}

/** True if our configuration is known to have begun. */
export function hasBegun({ state }: Submission): boolean {
  return state === 'begun' || state === 'ready' || state === 'failed'
}

/** True if the submission may have started the configuration that the site shows; otherwise another program started it. */
export function mayBeOurs(submission: Submission): boolean {
  return isPending(submission) || hasBegun(submission)
}

/** Finds the fact that shows that a site is not the one that an unfinished request was sent to. */
export function findOtherSite(
  submission: Submission | undefined,
  observed: SiteMark,
): MarkDifference | undefined {
  const [mark] = listSentMarks(submission)
  return mark && findDifference(mark, observed)
}

/** Returns the mark of the site that an unfinished request was sent to, if any; twice, since a mark counts when repeated. */
export function listSentMarks(submission: Submission | undefined): readonly SiteMark[] {
  const { site } = submission ?? {}
  const isUnfinished = submission !== undefined && (isPending(submission) || submission.state === 'begun')
  return isUnfinished && site !== undefined ? [site, site] : []
}
