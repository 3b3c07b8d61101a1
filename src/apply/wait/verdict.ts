import type { Reply, ServiceFailure } from '../../client/failure.js'
import type { Observation } from '../../plan/observation.js'
import {
  type Difference,
  differenceOf,
  isBlank,
  isSameDifference,
  joined,
  markOf,
  type SiteMark,
} from './site-mark.js'
import { noStarts, otherStart, type Starts, startsAfter } from './starts.js'

/** Polls in a row with the same value. */
interface Run<T> {
  readonly value: T
  readonly sinceMs: number
  readonly looks: number
}

type Said = 'ready' | 'failed' | 'not-configured' | 'going-on'

/** The results of the polls so far, as far as they can end the wait. */
export interface Seen {
  readonly last: Observation | undefined
  /** A configuration was under way, or its end was, in some look or by what is known from before. */
  readonly begun: boolean
  /** The progress in answers in a row; a failed poll neither adds to it nor breaks it. */
  readonly said: Run<Said> | undefined
  /** The identity of the site; as long as one answer alone reported it, that of the newest answer. */
  readonly mark: Run<SiteMark> | undefined
  readonly starts: Starts
  /** The difference by which answers in a row are of another site. */
  readonly other: Run<Difference> | undefined
  /** By what the newest answer differs from what was known, even if that is not much. */
  readonly difference: Difference | undefined
  /** True if answers came that showed no state. */
  readonly wasSilent: boolean
  /** Polls in a row that were rejected for lack of a valid token. */
  readonly refused: Run<ServiceFailure> | undefined
}

/** The result of a wait, once it is certain. */
export type Verdict =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation }
  | { readonly kind: 'not-begun' }
  | { readonly kind: 'replaced'; readonly because: Replaced }
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure }

/** The sign that the site is not the one that was waited for. */
export type Replaced = Difference | { readonly kind: 'not-configured-any-more' }

/** One answer may come from a node that is behind: a final word is believed when it is said twice. */
const believedAfter = 2
/** A configuration that does not show for this long has not begun. */
const invisible = { ms: 60_000, looks: 3 } as const
/**
 * Polls may lack a valid token for this long: an expired one is renewed meanwhile, and a portal that starts accepts none.
 */
const locked = { ms: 120_000, looks: 3 } as const

/** The start of a wait, before its first poll; earlier answers had these marks. */
export function nothingSeen(begun: boolean, marks: readonly SiteMark[]): Seen {
  const nothing: Marks = { mark: undefined, other: undefined }
  const { mark } = marks.reduce((before, one) => marksAfter(before, one, 0), nothing)
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
export function seenAfter(seen: Seen, reply: Reply<Observation>, elapsedMs: number): Seen {
  if (!reply.ok) {
    const { error: failure } = reply
    const { sinceMs = elapsedMs, looks = 0 } = seen.refused ?? {}
    const refused = isAboutToken(failure) ? { value: failure, sinceMs, looks: looks + 1 } : undefined
    return { ...seen, difference: undefined, refused }
  }
  const now = reply.value
  const told = markOf(now)
  const start = otherStart(seen.starts, now)
  const difference = (seen.mark && differenceOf(seen.mark.value, told)) ?? start
  const { mark, other } = marksAfter(seen, told, elapsedMs, start)
  const heard = { ...seen, refused: undefined, other, difference }
  // What another site says is not said of this one, and a root without a state says nothing.
  if (other !== undefined) return heard
  if (isSilent(now)) return { ...heard, mark, wasSilent: true }
  const said = oneMore(difference === undefined ? seen.said : undefined, wordOf(now), elapsedMs)
  const begun = seen.begun || showsBegin(now, said)
  return {
    ...heard,
    last: now,
    begun,
    mark,
    said,
    starts: startsAfter(difference === undefined ? seen.starts : noStarts, now),
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
export function showsBegin({ kind }: Observation, said: Seen['said']): boolean {
  if (kind === 'failed') return said !== undefined && said.looks >= believedAfter
  return kind === 'in-progress' || kind === 'ready'
}

type Marks = Pick<Seen, 'mark' | 'other'>

/** A mark is that of the site once two answers have reported it; before that, any answer may be from another site. */
function marksAfter({ mark, other }: Marks, told: SiteMark, elapsedMs: number, start?: Difference): Marks {
  const difference = mark && differenceOf(mark.value, told)
  const isKnown = mark !== undefined && mark.looks >= believedAfter
  const another = (isKnown ? difference : undefined) ?? start
  if (another !== undefined) {
    // One that says the same once more is the same.
    const same = other !== undefined && isSameDifference(other.value, another) ? other.value : another
    return { mark, other: oneMore(other, same, elapsedMs) }
  }
  if (isBlank(told)) return { mark, other: undefined }
  const { sinceMs, looks, value } = mark ?? { sinceMs: elapsedMs, looks: 0, value: {} }
  return difference === undefined
    ? { mark: { value: joined(value, told), sinceMs, looks: looks + 1 }, other: undefined }
    : { mark: { value: told, sinceMs: elapsedMs, looks: 1 }, other: undefined }
}

function oneMore<T>(run: Run<T> | undefined, value: T, elapsedMs: number): Run<T> {
  return run?.value === value ? { ...run, looks: run.looks + 1 } : { value, sinceMs: elapsedMs, looks: 1 }
}

/** Classifies an answer by the state of the site alone; stages are only reported. Service §3. */
function wordOf({ kind }: Observation): Said {
  return kind === 'ready' || kind === 'failed' || kind === 'not-configured' ? kind : 'going-on'
}

/** Finds the end of the wait, if the polls so far establish it. */
export function verdictOn(
  { last, begun, said, other, refused }: Seen,
  elapsedMs: number,
): Verdict | undefined {
  const lasts = (run: Run<unknown> | undefined, least: { ms: number; looks: number }) =>
    run !== undefined && run.looks >= least.looks && elapsedMs - run.sinceMs >= least.ms
  if (other !== undefined && other.looks >= believedAfter) return { kind: 'replaced', because: other.value }
  if (refused !== undefined && lasts(refused, locked)) return { kind: 'not-allowed', failure: refused.value }
  if (said === undefined || last === undefined) return undefined
  if (said.value === 'ready' && said.looks >= believedAfter) return { kind: 'ready' }
  if (said.value === 'failed' && said.looks >= believedAfter) return { kind: 'failed', observed: last }
  if (said.value !== 'not-configured' || !lasts(said, invisible)) return undefined
  return begun ? { kind: 'replaced', because: { kind: 'not-configured-any-more' } } : { kind: 'not-begun' }
}
