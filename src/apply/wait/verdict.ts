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

/** Looks that said the same, one after the other. */
interface Run<T> {
  readonly value: T
  readonly sinceMs: number
  readonly looks: number
}

type Said = 'ready' | 'failed' | 'not-configured' | 'going-on'

/** What the looks so far have shown, as far as an end of the wait may come of it. */
export interface Seen {
  readonly last: Observation | undefined
  /** A configuration was under way, or its end was, in some look or by what is known from before. */
  readonly begun: boolean
  /** What is said of the configuration, by answers in a row; a failed look neither adds to it nor breaks it. */
  readonly said: Run<Said> | undefined
  /** By what the site is known; where only one answer has told it, it is that of the newest answer. */
  readonly mark: Run<SiteMark> | undefined
  readonly starts: Starts
  /** That another site answers, told by answers in a row. */
  readonly other: Run<Difference> | undefined
  /** By what the newest answer differs from what was known, even if that is not much. */
  readonly difference: Difference | undefined
  /** Whether answers came that showed no state. */
  readonly wasSilent: boolean
  /** Looks in a row that were refused for want of a right token. */
  readonly refused: Run<ServiceFailure> | undefined
}

/** What the looks establish, where they do. */
export type Verdict =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation }
  | { readonly kind: 'not-begun' }
  | { readonly kind: 'replaced'; readonly because: Replaced }
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure }

/** How the site shows that it is not the one that was waited for. */
export type Replaced = Difference | { readonly kind: 'not-configured-any-more' }

/** One answer may come from a node that is behind: a final word is believed when it is said twice. */
const believedAfter = 2
/** How long a configuration may stay invisible before that is a finding. */
const invisible = { ms: 60_000, looks: 3 } as const
/** How long no token may be right: one that expired is renewed meanwhile, and a portal that starts knows none. */
const locked = { ms: 120_000, looks: 3 } as const

/** Nothing was looked at yet in this wait; earlier answers had these marks. */
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

/** What is known after one more look. */
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

/** True where a look shows that the configuration has begun; one node that is in trouble may say that it failed. */
export function showsBegin({ kind }: Observation, said: Seen['said']): boolean {
  if (kind === 'failed') return said !== undefined && said.looks >= believedAfter
  return kind === 'in-progress' || kind === 'ready'
}

type Marks = Pick<Seen, 'mark' | 'other'>

/** A mark is that of the site once two answers have told it; before, any answer may be the stray one. */
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

/** What a look says of the configuration. The state of the site alone counts; those of stages are told. Service §3. */
function wordOf({ kind }: Observation): Said {
  return kind === 'ready' || kind === 'failed' || kind === 'not-configured' ? kind : 'going-on'
}

/** The end of the wait, if the looks so far are one. */
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
