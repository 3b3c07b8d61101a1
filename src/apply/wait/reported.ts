import { failedStage } from '../../contract/field-notes.js'
import { findStage, findStageProgress } from '../../contract/responses.js'
import type { Contradiction, Observation, StageRecord } from '../../plan/observation.js'
import type { StageTiming } from '../../plan/submission.js'
import { keyStages, type SiteDifference } from './observed.js'

/** An anomaly in the responses of a site. It is reported, but does not affect the wait. */
export type Anomaly =
  | { readonly kind: 'stage-went-back'; readonly stage: string; readonly from: string; readonly to: string }
  | { readonly kind: 'site-went-back'; readonly from: Observation['kind']; readonly to: Observation['kind'] }
  | { readonly kind: 'ready-with-open-stages'; readonly stages: readonly string[] }
  | { readonly kind: 'not-ready-with-closed-stages' }
  | { readonly kind: 'unknown-state'; readonly state: string; readonly contradiction?: Contradiction }
  | SiteDifference
  /** Documented parts of a response have another type, and count as absent. */
  | { readonly kind: 'malformed-parts'; readonly parts: readonly string[] }
  /** The site continues although a stage has failed, for `forMs` at least. */
  | { readonly kind: 'failed-stage'; readonly stage: string; readonly forMs: number }
  /** This process was suspended, for example because the machine slept. */
  | { readonly kind: 'stood-still'; readonly ms: number }

/** Finds the parts of a response that contradict the response before it, or each other. */
export function findAnomalies(
  last: Observation | undefined,
  now: Observation,
  changed: readonly StageChange[],
): readonly Anomaly[] {
  return [
    ...(last === undefined ? [] : findRegression(last, now)),
    ...changed.flatMap(({ name, from, state }) =>
      from !== null && rankState(state) < rankState(from)
        ? [{ kind: 'stage-went-back', stage: name, from, to: state } as const]
        : [],
    ),
    ...findMismatch(now),
    ...findUnknownState(now),
    ...findMalformedParts(now),
  ]
}

/** Finds the parts of a response that are not as documented. */
export function findMalformedParts({ malformed: parts }: Observation): readonly Anomaly[] {
  return parts === undefined ? [] : [{ kind: 'malformed-parts', parts }]
}

function findUnknownState(now: Observation): readonly Anomaly[] {
  if (now.kind !== 'unrecognized') return []
  const { state, contradiction } = now
  return [{ kind: 'unknown-state', state, ...(contradiction && { contradiction }) }]
}

function findRegression({ kind: from }: Observation, { kind: to }: Observation): readonly Anomaly[] {
  return siteRanks[to] < siteRanks[from] ? [{ kind: 'site-went-back', from, to }] : []
}

/** Finds a contradiction between the state of the site, which decides, and its stages. */
function findMismatch({ kind, stages }: Observation): readonly Anomaly[] {
  const open = stages.filter(({ state }) => findStageProgress(state) !== 'through').map(({ name }) => name)
  if (kind === 'ready' && open.length > 0) return [{ kind: 'ready-with-open-stages', stages: open }]
  const isThrough = kind === 'in-progress' && stages.length > 0 && open.length === 0
  return isThrough ? [{ kind: 'not-ready-with-closed-stages' }] : []
}

const siteRanks = {
  'not-configured': 0,
  unrecognized: 1,
  'in-progress': 1,
  failed: 2,
  ready: 2,
} as const satisfies Record<Observation['kind'], number>

const ranks = { waiting: 0, running: 1, through: 2 } as const

/** Ranks the progress of a stage. A state that is not documented ranks as NaN, which is never behind another. */
function rankState(state: string): number {
  const progress = findStageProgress(state)
  return progress === undefined ? Number.NaN : ranks[progress]
}

/** The time at which each stage was first seen to have failed, by the clock of this process. */
export type FailedSince = ReadonlyMap<string, number>

/** The time after which a stage that is still failed is reported again. */
const againMs = 5 * 60_000

/** Finds failed stages of a site that does not report a failure itself. Each is reported at once, and once more later. */
export function findFailedStages(
  since: FailedSince,
  { kind, stages }: Observation,
  elapsedMs: number,
): { readonly failedSince: FailedSince; readonly anomalies: readonly Anomaly[] } {
  const failing = [...keyStages(stages)].filter(([, { state }]) => state === failedStage && kind !== 'failed')
  const failedSince = new Map(failing.map(([key]) => [key, since.get(key) ?? elapsedMs]))
  const anomalies = failing.map(([key, { name }]): Anomaly => {
    const isLong = elapsedMs - (failedSince.get(key) ?? elapsedMs) >= againMs
    return { kind: 'failed-stage', stage: name, forMs: isLong ? againMs : 0 }
  })
  return { failedSince, anomalies }
}

/** No site has more stages. The limit bounds the memory if every response has new names. */
const maxStages = 100

/** Merges the stages of a response with those before: a stage that a response leaves out still exists. */
export function rememberStages(
  before: readonly StageRecord[],
  now: readonly StageRecord[],
): readonly StageRecord[] {
  const reported = keyStages(now)
  const left = [...keyStages(before)].filter(([key]) => !reported.has(key)).map(([, stage]) => stage)
  return [...now, ...left].slice(0, maxStages)
}

/** Finds the stages whose state has changed. */
export function findChanges(before: readonly StageRecord[], now: readonly StageRecord[]) {
  const known = keyStages(before)
  return [...keyStages(now)].flatMap(([key, stage]) => {
    const from = known.get(key)?.state ?? null
    return from === stage.state ? [] : [{ ...stage, key, from }]
  })
}

type StageChange = ReturnType<typeof findChanges>[number]

/** The last activity of a stage in progress, by the clock of this process; the clock of the service is for display only. */
interface StageActivity {
  readonly lastUpdated: number | undefined
  readonly sinceMs: number
  readonly isReported: boolean
}

export type StageActivities = ReadonlyMap<string, StageActivity>

/** A stage that has stalled, or is progressing again. */
interface StallChange {
  readonly type: 'stage-stalled' | 'stage-moved'
  readonly stage: string
  /** The time without activity. */
  readonly unmovedMs: number
}

/** Updates the activity after a poll, and finds the changes to report. A stall is reported once, and so is its end. */
export function updateMotions(
  before: StageActivities,
  stages: readonly StageRecord[],
  { elapsedMs, stallMs }: { readonly elapsedMs: number; readonly stallMs: number },
): { readonly motions: StageActivities; readonly changes: readonly StallChange[] } {
  const motions = new Map<string, StageActivity>()
  const changes: StallChange[] = []
  const now = keyStages(stages)
  for (const [key, { name, state, lastUpdated }] of now) {
    const known = before.get(key)
    const isRunning = state === 'in_progress'
    const isStill = isRunning && known !== undefined && known.lastUpdated === lastUpdated
    const unmovedMs = elapsedMs - (known?.sinceMs ?? elapsedMs)
    const stalls = isStill && !known.isReported && unmovedMs >= stallMs
    if (stalls) changes.push({ type: 'stage-stalled', stage: name, unmovedMs })
    if (!isStill && known?.isReported === true) changes.push({ type: 'stage-moved', stage: name, unmovedMs })
    if (isStill) motions.set(key, { ...known, isReported: known.isReported || stalls })
    else if (isRunning) motions.set(key, { lastUpdated, sinceMs: elapsedMs, isReported: false })
  }
  return { motions, changes }
}

/** The start and end of documented stages, as far as this wait saw them. */
export type Spans = ReadonlyMap<string, { readonly beganMs: number; readonly endedMs?: number }>

/**
 * Updates the spans after a poll. Only a stage whose start was seen has one: the duration of any other is unknown. A stage
 * that begins again starts a new span.
 */
export function updateSpans(spans: Spans, changed: readonly StageChange[], elapsedMs: number): Spans {
  const after = new Map(spans)
  for (const { key, state, from } of changed) {
    const span = spans.get(key)
    if (findStage(key) === undefined) continue
    if (from === 'not_started') after.set(key, { beganMs: elapsedMs })
    if (state === 'not_started') after.delete(key)
    if (state !== 'completed') continue
    if (span !== undefined) after.set(key, { beganMs: span.beganMs, endedMs: elapsedMs })
    // The stage took less time than passes between two polls.
    else if (from === 'not_started') after.set(key, { beganMs: elapsedMs, endedMs: elapsedMs })
  }
  return after
}

/** Returns the duration of a stage; `undefined` unless its start and its end were seen. */
export function findDurationMs(spans: Spans, key: string): number | undefined {
  const span = spans.get(key)
  return span?.endedMs === undefined ? undefined : span.endedMs - span.beganMs
}

/** Lists the timings of finished stages, for later waits. */
export function listTimings(spans: Spans): readonly StageTiming[] {
  return [...spans].flatMap(([stage, { beganMs, endedMs }]) =>
    endedMs === undefined ? [] : [{ stage, beganMs, endedMs }],
  )
}

/** The number of reports for each key. */
export type ReportCounts = ReadonlyMap<string, number>

/** Limits the keys, so that a site with endless messages cannot fill the memory. */
const maxKeys = 100

/** Selects the things that are to be reported now, each at most `most` times in all, and counts the reports. */
export function selectNews<T>(
  reported: ReportCounts,
  things: readonly T[],
  { key, most }: { readonly key: (thing: T) => string; readonly most: number },
): { readonly told: ReportCounts; readonly tell: readonly T[] } {
  const after = new Map(reported)
  const report = things.filter(thing => {
    const name = key(thing)
    const times = after.get(name) ?? 0
    if (times >= most || (times === 0 && after.size >= maxKeys)) return false
    after.set(name, times + 1)
    return true
  })
  return { told: after, tell: report }
}
