import type { Reply, ServiceFailure } from '../../client/failure.js'
import { isSilent, type Observation, type StageRecord } from '../../plan/observation.js'
import type { SiteMark } from '../../plan/site-mark.js'
import type { StageTiming } from '../../plan/submission.js'
import { estimateLeftMs } from '../estimate.js'
import type { ApplyEvent } from '../generated/event.js'
import { type ObservedSoFar, showsBegin, startObserving, updateObserved } from './observed.js'
import {
  type Anomaly,
  type FailedSince,
  findAnomalies,
  findChanges,
  findDurationMs,
  findFailedStages,
  findMalformedParts,
  listTimings,
  type ReportCounts,
  rememberStages,
  type Spans,
  type StageActivities,
  selectNews,
  updateMotions,
  updateSpans,
} from './reported.js'

/** Everything that a wait remembers of its polls. */
export interface WaitState {
  readonly seen: ObservedSoFar
  /** True if a poll has shown that the configuration has begun. */
  readonly showedBegin: boolean
  /** As they were last seen. */
  readonly stages: readonly StageRecord[]
  readonly spans: Spans
  readonly motions: StageActivities
  readonly failedSince: FailedSince
  /** The time at which a stage last ended. */
  readonly lastEndMs: number
  readonly message: string | undefined
  /** Polls that failed since the last one that succeeded. */
  readonly failing: FailedPolls | undefined
  readonly told: {
    readonly anomalies: ReportCounts
    readonly failures: ReportCounts
    readonly texts: ReportCounts
  }
}

interface FailedPolls {
  readonly failure: ServiceFailure
  readonly polls: number
  readonly sinceMs: number
  /** True if one of them was reported. */
  readonly isReported: boolean
}

/** The facts that a wait starts with. */
export interface WaitFacts {
  /** The stages as they were before the first poll. */
  readonly stages: readonly StageRecord[]
  /** True if the configuration is known to have begun: a site that shows none has then lost it. */
  readonly begun: boolean
  /** True if the request got a complete response that did not accept it. The wait then ends soon if the site shows no state. */
  readonly isAnswered: boolean
  /** The marks in earlier responses, oldest first; once two agree, they are the mark of the site. */
  readonly marks: readonly SiteMark[]
  /** The stages of an earlier configuration, to estimate the time that is left. */
  readonly estimate: readonly StageTiming[]
  /** The time without activity after which a stage is reported as stalled. */
  readonly stallMs: number
}

interface WaitStep {
  readonly watch: WaitState
  readonly events: readonly ApplyEvent[]
}

/** Returns the state before the first poll. */
export function startWaitState(known: WaitFacts): WaitState {
  return {
    seen: startObserving(known),
    showedBegin: false,
    stages: known.stages,
    spans: new Map(),
    motions: new Map(),
    failedSince: new Map(),
    lastEndMs: 0,
    message: undefined,
    failing: undefined,
    told: { anomalies: new Map(), failures: new Map(), texts: new Map() },
  }
}

/** Updates the state after one more poll, and lists the events to report. It does not poll. */
export function updateWaitState(
  watch: WaitState,
  reply: Reply<Observation>,
  { elapsedMs, known }: { readonly elapsedMs: number; readonly known: WaitFacts },
): WaitStep {
  const seen = updateObserved(watch.seen, reply, elapsedMs)
  if (!reply.ok) return reportFailedPoll({ ...watch, seen }, reply.error, elapsedMs)
  const restored = reportRestoredPoll(watch, elapsedMs)
  const next = { ...watch, seen, failing: undefined }
  const polled = reportObservation(next, reply.value, { elapsedMs, last: watch.seen.last, known })
  return { watch: polled.watch, events: [...restored, ...polled.events] }
}

/** Reports only the difference for a response of another site, and only malformed parts for a root without a state. */
function reportObservation(watch: WaitState, observed: Observation, poll: PollContext): WaitStep {
  const { difference } = watch.seen
  if (difference !== undefined) return reportAnomalies(watch, [difference], poll.elapsedMs)
  if (isSilent(observed)) return reportAnomalies(watch, findMalformedParts(observed), poll.elapsedMs)
  return compareObservation(watch, observed, poll)
}

/** Estimates the remaining time, as a field of an event; no field without an earlier configuration. */
export function estimateLeft(
  { stages, lastEndMs, spans }: WaitState,
  { estimate }: WaitFacts,
  elapsedMs: number,
) {
  const seen = listTimings(spans)
  const left = estimateLeftMs(estimate, { stages, sinceMs: elapsedMs - lastEndMs, seen })
  return left === undefined ? {} : { leftMs: left }
}

interface PollContext {
  readonly elapsedMs: number
  readonly last: Observation | undefined
  readonly known: WaitFacts
}

function compareObservation(
  watch: WaitState,
  observed: Observation,
  { elapsedMs, last, known }: PollContext,
): WaitStep {
  const begins = !watch.showedBegin && showsBegin(observed, watch.seen.said)
  const changed = findChanges(watch.stages, observed.stages)
  const spans = updateSpans(watch.spans, changed, elapsedMs)
  const { failedSince, anomalies: failures } = findFailedStages(watch.failedSince, observed, elapsedMs)
  const { motions, changes } = updateMotions(watch.motions, observed.stages, { elapsedMs, ...known })
  const said = selectSiteTexts(watch, observed)
  const ended = changed.some(({ state }) => state === 'completed')
  const next: WaitState = {
    ...watch,
    spans,
    motions,
    failedSince,
    showedBegin: watch.showedBegin || begins,
    stages: rememberStages(watch.stages, observed.stages),
    lastEndMs: ended ? elapsedMs : watch.lastEndMs,
    message: observed.message ?? watch.message,
    told: { ...watch.told, texts: said.told },
  }
  const { watch: after, events: anomalies } = reportAnomalies(
    next,
    [...findAnomalies(last, observed, changed), ...failures],
    elapsedMs,
  )
  const reported = changed.map(({ key, ...stage }) => {
    const took = stage.state === 'completed' ? findDurationMs(spans, key) : undefined
    return took === undefined ? stage : { ...stage, durationMs: took }
  })
  const { stages } = after
  const events: readonly ApplyEvent[] = [
    ...(begins ? [{ type: 'configure-begun' } as const] : []),
    ...(reported.length > 0
      ? [
          {
            type: 'stages-changed',
            changed: reported,
            stages,
            elapsedMs,
            ...estimateLeft(after, known, elapsedMs),
          } as const,
        ]
      : []),
    ...changes.map(change => ({ ...change, elapsedMs })),
    ...anomalies,
    ...said.events.map(event => ({ ...event, elapsedMs })),
  ]
  return { watch: after, events }
}

/** Selects a new message, and warnings that were not reported yet. */
function selectSiteTexts({ message, told }: WaitState, observed: Observation) {
  const { message: now } = observed
  const words = selectNews(told.texts, now === undefined || now === message ? [] : [now], {
    key: text => `message:${text}`,
    most: 3,
  })
  const warnings = selectNews(words.told, observed.warnings, { key: text => `warning:${text}`, most: 1 })
  const [said] = words.tell
  const isNews = said !== undefined || warnings.tell.length > 0
  const event = {
    type: 'site-said',
    ...(said !== undefined && { message: said }),
    warnings: warnings.tell,
  } as const
  return { told: warnings.told, events: isNews ? [event] : [] }
}

function reportAnomalies(watch: WaitState, anomalies: readonly Anomaly[], elapsedMs: number): WaitStep {
  const { told, tell } = selectNews(watch.told.anomalies, anomalies, {
    key: one => JSON.stringify(one),
    most: 1,
  })
  return {
    watch: { ...watch, told: { ...watch.told, anomalies: told } },
    events: tell.map(anomaly => ({ type: 'anomaly', anomaly, elapsedMs })),
  }
}

/** Reports a failed poll if it fails in another way than the one before. */
function reportFailedPoll(watch: WaitState, failure: ServiceFailure, elapsedMs: number): WaitStep {
  const { failing } = watch
  const isNew = failing === undefined || buildFailureKey(failing.failure) !== buildFailureKey(failure)
  const { told, tell } = selectNews(watch.told.failures, isNew ? [failure] : [], {
    key: buildFailureKey,
    most: 10,
  })
  const { polls = 0, sinceMs = elapsedMs } = failing ?? {}
  const isTold = failing?.isReported === true || tell.length > 0
  return {
    watch: {
      ...watch,
      failing: { failure, polls: polls + 1, sinceMs, isReported: isTold },
      told: { ...watch.told, failures: told },
    },
    events: tell.map(one => ({ type: 'observation-failed', failure: one, elapsedMs })),
  }
}

function reportRestoredPoll({ failing }: WaitState, elapsedMs: number): readonly ApplyEvent[] {
  if (failing?.isReported !== true) return []
  return [{ type: 'observation-restored', failedMs: elapsedMs - failing.sinceMs, elapsedMs }]
}

/** Builds a key for a failure, without texts that may differ each time. */
function buildFailureKey(failure: ServiceFailure): string {
  const { kind } = failure
  const status = 'status' in failure ? failure.status : ''
  const code = 'code' in failure ? failure.code : ''
  return `${kind} ${status} ${code} ${kind === 'no-answer' || kind === 'not-sent' ? failure.reason : ''}`
}
