import type { Reply, ServiceFailure } from '../../client/failure.js'
import { findStage } from '../../contract/responses.js'
import { isSilent, type Observation, type StageRecord } from '../../plan/observation.js'
import {
  findDifference,
  isBlank,
  type MarkDifference,
  mergeMarks,
  type SiteMark,
  selectMark,
} from '../../plan/site-mark.js'

/** Polls in a row with the same value, and the times of the first and the last of them. */
interface Streak<T> {
  readonly value: T
  readonly sinceMs: number
  readonly untilMs: number
  readonly polls: number
}

type Unauthorized = Extract<ServiceFailure, { readonly kind: 'unauthorized' }>

type ReportedProgress = 'ready' | 'failed' | 'not-configured' | 'going-on'

/** The results of the polls so far, as far as they can end the wait. */
export interface ObservedSoFar {
  readonly last: Observation | undefined
  /** True if a poll, or a fact from before the wait, showed a configuration under way or its end. */
  readonly begun: boolean
  /** The progress that consecutive responses report; failed polls are skipped. */
  readonly said: Streak<ReportedProgress> | undefined
  /** The mark of the site; until two responses agree, the mark in the newest one. */
  readonly mark: Pick<Streak<SiteMark>, 'value' | 'polls'> | undefined
  readonly starts: Starts
  /** The difference that marks consecutive responses as those of another site. */
  readonly other: Streak<SiteDifference> | undefined
  /** The difference between the newest response and the known facts, also while the mark is not certain yet. */
  readonly difference: SiteDifference | undefined
  /** True if some responses showed no state. */
  readonly wasSilent: boolean
  /** Consecutive responses that showed no state. */
  readonly silent: Streak<true> | undefined
  /** True if the request got a complete response that did not accept it. */
  readonly isAnswered: boolean
  /** Polls in a row that were rejected for lack of a valid token. */
  readonly refused: Streak<Unauthorized> | undefined
}

/** The result of a wait, once it is certain. */
type WaitResult =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly observed: Observation }
  /** `isShown` is true if the site kept reporting that, and false if it only showed no state. */
  | { readonly kind: 'not-begun'; readonly isShown: boolean }
  | { readonly kind: 'replaced'; readonly because: Replaced }
  | { readonly kind: 'not-allowed'; readonly failure: ServiceFailure }

/** The fact that shows that the site is no longer the one that was waited for. */
export type Replaced = SiteDifference | { readonly kind: 'not-configured-any-more' }

/** A single response may come from a node that lags behind: an end counts once two consecutive responses report it. */
const believedAfter = 2
/** A configuration that does not show for this long has not begun. */
const invisible = { ms: 60_000, polls: 3 } as const
/** The same after a complete response that did not accept the request. An emulator has no lagging nodes. */
const unaccepted = { site: { ms: 120_000, polls: 3 }, emulator: { ms: 1_000, polls: 3 } } as const
/** How long polls may lack a valid token: an expired one is renewed in this time, and a starting portal accepts none. */
const locked = { ms: 120_000, polls: 3 } as const
/** The same if the account is rejected: the accounts of a site may not exist before it is ready. */
const accountless = { ms: 30 * 60_000, polls: 3 } as const
/** The same without any token: one more poll, which another node may answer. */
const tokenless = { ms: 0, polls: believedAfter } as const

/** Returns the results before the first poll. The marks are those of earlier responses. */
export function startObserving({
  begun,
  marks,
  isAnswered,
}: {
  readonly begun: boolean
  readonly marks: readonly SiteMark[]
  readonly isAnswered: boolean
}): ObservedSoFar {
  const nothing: KnownMarks = { mark: undefined, other: undefined }
  const { mark } = marks.reduce((before, one) => updateMarks(before, one, 0), nothing)
  return {
    mark,
    other: undefined,
    difference: undefined,
    starts: noStarts,
    begun,
    wasSilent: false,
    silent: undefined,
    isAnswered,
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
    const refused =
      failure.kind === 'unauthorized'
        ? { value: failure, sinceMs, untilMs: elapsedMs, polls: polls + 1 }
        : undefined
    return { ...seen, difference: undefined, refused }
  }
  const now = reply.value
  const reported = selectMark(now)
  const start = findOtherStart(seen.starts, now)
  const difference = (seen.mark && findDifference(seen.mark.value, reported)) ?? start
  const { mark, other } = updateMarks(seen, reported, elapsedMs, start)
  const heard = { ...seen, refused: undefined, other, difference }
  // Ignore responses from another site, and root resources without a state.
  if (other !== undefined) return heard
  if (isSilent(now))
    return { ...heard, mark, wasSilent: true, silent: extendStreak(seen.silent, true, elapsedMs) }
  const said = extendStreak(
    difference === undefined ? seen.said : undefined,
    classifyObservation(now),
    elapsedMs,
  )
  const begun = seen.begun || showsBegin(now, said)
  return {
    ...heard,
    last: now,
    silent: undefined,
    begun,
    mark,
    said,
    starts: updateStarts(difference === undefined ? seen.starts : noStarts, now),
  }
}

/** Chooses how long polls may be rejected for lack of a valid token. */
function chooseLimit({ isTokenless, reason }: Unauthorized) {
  if (isTokenless) return tokenless
  return reason === 'account-rejected' ? accountless : locked
}

/** Tests whether the configuration has begun. A failure must be reported twice: a single node may have a problem. */
export function showsBegin({ kind }: Observation, said: ObservedSoFar['said']): boolean {
  if (kind === 'failed') return said !== undefined && said.polls >= believedAfter
  return kind === 'in-progress' || kind === 'ready'
}

type KnownMarks = Pick<ObservedSoFar, 'mark' | 'other'>

/** Updates the mark. It belongs to the site once two responses agree; before that, each may be from another site. */
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
    // An equal difference has to be the same object: streaks compare by identity.
    const same = other !== undefined && isSameDifference(other.value, another) ? other.value : another
    return { mark, other: extendStreak(other, same, elapsedMs) }
  }
  if (isBlank(reported)) return { mark, other: undefined }
  const { value, polls } = mark ?? { value: {}, polls: 0 }
  return difference === undefined
    ? { mark: { value: mergeMarks(value, reported), polls: polls + 1 }, other: undefined }
    : { mark: { value: reported, polls: 1 }, other: undefined }
}

function extendStreak<T>(run: Streak<T> | undefined, value: T, elapsedMs: number): Streak<T> {
  const { sinceMs = elapsedMs, polls = 0 } = run?.value === value ? run : {}
  return { value, sinceMs, untilMs: elapsedMs, polls: polls + 1 }
}

/** Classifies a response by the state of the site alone; stages are only reported. Service §3. */
function classifyObservation({ kind }: Observation): ReportedProgress {
  return kind === 'ready' || kind === 'failed' || kind === 'not-configured' ? kind : 'going-on'
}

/** Finds the end of the wait, if the polls so far establish it. */
export function findWaitResult(seen: ObservedSoFar): WaitResult | undefined {
  const { last, begun, said, mark, other, refused, silent, isAnswered } = seen
  const lasts = (run: Streak<unknown> | undefined, least: { ms: number; polls: number }) =>
    run !== undefined && run.polls >= least.polls && run.untilMs - run.sinceMs >= least.ms
  const answered = unaccepted[mark?.value.emulator === undefined ? 'site' : 'emulator']
  if (other !== undefined && other.polls >= believedAfter) return { kind: 'replaced', because: other.value }
  if (refused !== undefined && lasts(refused, chooseLimit(refused.value)))
    return { kind: 'not-allowed', failure: refused.value }
  if (isAnswered && !begun && lasts(silent, answered)) return { kind: 'not-begun', isShown: false }
  if (said === undefined || last === undefined) return undefined
  if (said.value === 'ready' && said.polls >= believedAfter) return { kind: 'ready' }
  if (said.value === 'failed' && said.polls >= believedAfter) return { kind: 'failed', observed: last }
  if (said.value !== 'not-configured' || !lasts(said, isAnswered ? answered : invisible)) return undefined
  return begun
    ? { kind: 'replaced', because: { kind: 'not-configured-any-more' } }
    : { kind: 'not-begun', isShown: true }
}

/** A fact that shows that a response is from another site than earlier responses. */
export type SiteDifference =
  | MarkDifference
  /** The start time of the stage changed, in milliseconds since 1970. */
  | { readonly kind: 'another-start'; readonly stage: string; readonly was: number; readonly is: number }

/** True if two responses differ from the known facts in the same way. */
export function isSameDifference(one: SiteDifference, other: SiteDifference): boolean {
  return one.kind === other.kind && one.is === other.is
}

/** The start times in the responses so far, by the clock of the service. */
interface Starts {
  /** The start time of each stage, and the number of consecutive responses with it: one may come from another node. */
  readonly stages: ReadonlyMap<string, { readonly startTime: number; readonly looks: number }>
  /** The newest time that was seen. */
  readonly newest: number
}

const noStarts: Starts = { stages: new Map(), newest: Number.NEGATIVE_INFINITY }

/** Updates the starts after a response of the same site. A stage that is `not_started` again loses its start. */
function updateStarts(starts: Starts, { stages }: Observation): Starts {
  const after = new Map(starts.stages)
  for (const [key, { state, startTime }] of keyStages(stages)) {
    if (state === 'not_started') after.delete(key)
    else if (isStartReported(startTime)) {
      const known = after.get(key)
      after.set(key, { startTime, looks: known?.startTime === startTime ? known.looks + 1 : 1 })
    }
  }
  const times = stages.flatMap(({ startTime = starts.newest, lastUpdated = starts.newest }) => [
    startTime,
    lastUpdated,
  ])
  return { stages: after, newest: Math.max(starts.newest, ...times) }
}

/**
 * Finds the first stage whose start time changed: the response is from another site. Only a stage that started again after
 * the newest time seen may be of the same site. Service §2.3.
 */
function findOtherStart(
  { stages: starts, newest }: Starts,
  { stages }: Observation,
): SiteDifference | undefined {
  for (const [key, { name, state, startTime }] of keyStages(stages)) {
    const known = starts.get(key)
    if (known === undefined || known.looks < believedAfter || !isStartReported(startTime)) continue
    if (startTime === known.startTime || startTime >= newest || state === 'not_started') continue
    return { kind: 'another-start', stage: name, was: known.startTime, is: startTime }
  }
  return undefined
}

/** 0 means that the stage has not started, or does not apply. Service §2.3. */
function isStartReported(startTime: number | undefined): startTime is number {
  return startTime !== undefined && startTime !== 0
}

/**
 * Returns the stages of a response by key. The key of a documented stage does not depend on the capitals in its name. A
 * repeated name gets a key of its own, so the two are not confused. Service §2.3.
 */
export function keyStages<S extends StageRecord>(stages: readonly S[]): ReadonlyMap<string, S> {
  const all = new Map<string, S>()
  for (const stage of stages) {
    const name = findStage(stage.name) ?? stage.name
    let key = name
    for (let nth = 2; all.has(key); nth += 1) key = `${name} (${nth})`
    all.set(key, stage)
  }
  return all
}
