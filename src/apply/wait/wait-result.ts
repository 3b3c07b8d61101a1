import type { Reply, ServiceFailure } from '../../client/failure.js'
import type { Observation } from '../../plan/observation.js'
import {
  findDifference,
  isBlank,
  isSameDifference,
  mergeMarks,
  type SiteDifference,
  type SiteMark,
  selectMark,
} from './site-mark.js'
import { findOtherStart, noStarts, type Starts, updateStarts } from './starts.js'

/** Polls in a row with the same value. */
interface Streak<T> {
  readonly value: T
  readonly sinceMs: number
  readonly polls: number
}

type ReportedProgress = 'ready' | 'failed' | 'not-configured' | 'going-on'

/** The results of the polls so far, as far as they can end the wait. */
export interface ObservedSoFar {
  readonly last: Observation | undefined
  /** A configuration was under way, or its end was, in some look or by what is known from before. */
  readonly begun: boolean
  /** The progress in answers in a row; a failed poll neither adds to it nor breaks it. */
  readonly said: Streak<ReportedProgress> | undefined
  /** The identity of the site; as long as one answer alone reported it, that of the newest answer. */
  readonly mark: Streak<SiteMark> | undefined
  readonly starts: Starts
  /** The difference by which answers in a row are of another site. */
  readonly other: Streak<SiteDifference> | undefined
  /** By what the newest answer differs from what was known, even if that is not much. */
  readonly difference: SiteDifference | undefined
  /** True if answers came that showed no state. */
  readonly wasSilent: boolean
  /** Polls in a row that were rejected for lack of a valid token. */
  readonly refused: Streak<ServiceFailure> | undefined
}

/** The result of a wait, once it is certain. */
export type WaitResult =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation }
  | { readonly kind: 'not-begun' }
  | { readonly kind: 'replaced'; readonly because: Replaced }
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure }

/** The sign that the site is not the one that was waited for. */
export type Replaced = SiteDifference | { readonly kind: 'not-configured-any-more' }

/** One answer may come from a node that is behind: a final word is believed when it is said twice. */
const believedAfter = 2
/** A configuration that does not show for this long has not begun. */
const invisible = { ms: 60_000, polls: 3 } as const
/**
 * Polls may lack a valid token for this long: an expired one is renewed meanwhile, and a portal that starts accepts none.
 */
const locked = { ms: 120_000, polls: 3 } as const

/** The start of a wait, before its first poll; earlier answers had these marks. */
export function startObserving(begun: boolean, marks: readonly SiteMark[]): ObservedSoFar {
  const nothing: KnownMarks = { mark: undefined, other: undefined }
  const { mark } = marks.reduce((before, one) => updateMarks(before, one, 0), nothing)
  return {
    mark,
    other: undefined,
    difference: undefined,
    starts: noStarts,
    begun,
    wasSilent: false,
    last: undefined,
    said: undefined,
    refused: undefined,
  }
}

/** Updates the results after one more poll. */
export function updateObserved(
  seen: ObservedSoFar,
  reply: Reply<Observation>,
  elapsedMs: number,
): ObservedSoFar {
  if (!reply.ok) {
    const { error: failure } = reply
    const { sinceMs = elapsedMs, polls = 0 } = seen.refused ?? {}
    const refused = isAboutToken(failure) ? { value: failure, sinceMs, polls: polls + 1 } : undefined
    return { ...seen, difference: undefined, refused }
  }
  const now = reply.value
  const reported = selectMark(now)
  const start = findOtherStart(seen.starts, now)
  const difference = (seen.mark && findDifference(seen.mark.value, reported)) ?? start
  const { mark, other } = updateMarks(seen, reported, elapsedMs, start)
  const heard = { ...seen, refused: undefined, other, difference }
  // What another site says is not said of this one, and a root without a state says nothing.
  if (other !== undefined) return heard
  if (isSilent(now)) return { ...heard, mark, wasSilent: true }
  const said = extendStreak(
    difference === undefined ? seen.said : undefined,
    classifyObservation(now),
    elapsedMs,
  )
  const begun = seen.begun || showsBegin(now, said)
  return {
    ...heard,
    last: now,
    begun,
    mark,
    said,
    starts: updateStarts(difference === undefined ? seen.starts : noStarts, now),
  }
}

/** True for an answer that shows no state: while a configuration is awaited it means nothing. */
export function isSilent(observed: Observation): boolean {
  return observed.kind === 'not-configured' && observed.implied === true
}

function isAboutToken(failure: ServiceFailure): boolean {
  const { kind } = failure
  return (
    kind === 'unauthorized' || kind === 'sign-in-page' || (kind === 'redirected' && failure.to === 'sign-in')
  )
}

/** True if an answer shows that the configuration has begun; a single node with a problem may report a failure. */
export function showsBegin({ kind }: Observation, said: ObservedSoFar['said']): boolean {
  if (kind === 'failed') return said !== undefined && said.polls >= believedAfter
  return kind === 'in-progress' || kind === 'ready'
}

type KnownMarks = Pick<ObservedSoFar, 'mark' | 'other'>

/** A mark is that of the site once two answers have reported it; before that, any answer may be from another site. */
function updateMarks(
  { mark, other }: KnownMarks,
  reported: SiteMark,
  elapsedMs: number,
  start?: SiteDifference,
): KnownMarks {
  const difference = mark && findDifference(mark.value, reported)
  const isKnown = mark !== undefined && mark.polls >= believedAfter
  const another = (isKnown ? difference : undefined) ?? start
  if (another !== undefined) {
    // One that says the same once more is the same.
    const same = other !== undefined && isSameDifference(other.value, another) ? other.value : another
    return { mark, other: extendStreak(other, same, elapsedMs) }
  }
  if (isBlank(reported)) return { mark, other: undefined }
  const { sinceMs, polls, value } = mark ?? { sinceMs: elapsedMs, polls: 0, value: {} }
  return difference === undefined
    ? { mark: { value: mergeMarks(value, reported), sinceMs, polls: polls + 1 }, other: undefined }
    : { mark: { value: reported, sinceMs: elapsedMs, polls: 1 }, other: undefined }
}

function extendStreak<T>(run: Streak<T> | undefined, value: T, elapsedMs: number): Streak<T> {
  return run?.value === value ? { ...run, polls: run.polls + 1 } : { value, sinceMs: elapsedMs, polls: 1 }
}

/** Classifies an answer by the state of the site alone; stages are only reported. Service §3. */
function classifyObservation({ kind }: Observation): ReportedProgress {
  return kind === 'ready' || kind === 'failed' || kind === 'not-configured' ? kind : 'going-on'
}

/** Finds the end of the wait, if the polls so far establish it. */
export function findWaitResult(
  { last, begun, said, other, refused }: ObservedSoFar,
  elapsedMs: number,
): WaitResult | undefined {
  const lasts = (run: Streak<unknown> | undefined, least: { ms: number; polls: number }) =>
    run !== undefined && run.polls >= least.polls && elapsedMs - run.sinceMs >= least.ms
  if (other !== undefined && other.polls >= believedAfter) return { kind: 'replaced', because: other.value }
  if (refused !== undefined && lasts(refused, locked)) return { kind: 'not-allowed', failure: refused.value }
  if (said === undefined || last === undefined) return undefined
  if (said.value === 'ready' && said.polls >= believedAfter) return { kind: 'ready' }
  if (said.value === 'failed' && said.polls >= believedAfter) return { kind: 'failed', observed: last }
  if (said.value !== 'not-configured' || !lasts(said, invisible)) return undefined
  return begun ? { kind: 'replaced', because: { kind: 'not-configured-any-more' } } : { kind: 'not-begun' }
}
