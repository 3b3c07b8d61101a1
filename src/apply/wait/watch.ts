import type { Reply, ServiceFailure } from '../../client/failure.js'
import type { Observation, StageRecord } from '../../plan/observation.js'
import type { StageTiming } from '../../plan/submission.js'
import { estimateLeftMs } from '../estimate.js'
import type { ApplyEvent } from '../event.js'
import { type FailedSince, failedStages } from './failed-stages.js'
import { malformedOf, type Oddity, odditiesOf } from './oddities.js'
import type { SiteMark } from './site-mark.js'
import { changesBetween, remembered } from './stages.js'
import { type Motions, motionsAfter } from './stalls.js'
import { type Told, telling } from './telling.js'
import { durationMs, type Spans, spansAfter } from './timings.js'
import { isSilent, nothingSeen, type Seen, seenAfter, showsBegin } from './verdict.js'

/** All that a wait remembers of its looks. */
export interface Watch {
  readonly seen: Seen
  /** True if a poll has shown that the configuration has begun. */
  readonly showedBegin: boolean
  /** As they were last seen. */
  readonly stages: readonly StageRecord[]
  readonly spans: Spans
  readonly motions: Motions
  /** Since when stages have failed while the site goes on. */
  readonly failedSince: FailedSince
  /** The time at which a stage last ended. */
  readonly lastEndMs: number
  readonly message: string | undefined
  /** Polls that failed since the last one that succeeded. */
  readonly failing: Failing | undefined
  readonly told: { readonly oddities: Told; readonly failures: Told; readonly texts: Told }
}

interface Failing {
  readonly failure: ServiceFailure
  readonly looks: number
  readonly sinceMs: number
  /** True if one of them was reported. */
  readonly told: boolean
}

/** The facts that a wait starts with. */
export interface Known {
  readonly stages: readonly StageRecord[]
  readonly begun: boolean
  /** By what the site was known before, in order. */
  readonly marks: readonly SiteMark[]
  readonly estimate: readonly StageTiming[]
  /** The time without activity after which a stage is reported as stalled. */
  readonly stallMs: number
}

interface Step {
  readonly watch: Watch
  readonly events: readonly ApplyEvent[]
}

/** The state before the first poll. */
export function newWatch({ begun, marks, stages }: Known): Watch {
  return {
    seen: nothingSeen(begun, marks),
    showedBegin: false,
    stages,
    spans: new Map(),
    motions: new Map(),
    failedSince: new Map(),
    lastEndMs: 0,
    message: undefined,
    failing: undefined,
    told: { oddities: new Map(), failures: new Map(), texts: new Map() },
  }
}

/** Updates the state after one more poll, and lists the events to report. It does not poll by itself. */
export function watchAfter(
  watch: Watch,
  reply: Reply<Observation>,
  { elapsedMs, known }: { readonly elapsedMs: number; readonly known: Known },
): Step {
  const seen = seenAfter(watch.seen, reply, elapsedMs)
  if (!reply.ok) return failedLook({ ...watch, seen }, reply.error, elapsedMs)
  const restored = restoredLook(watch, elapsedMs)
  const next = { ...watch, seen, failing: undefined }
  const looked = lookAt(next, reply.value, { elapsedMs, last: watch.seen.last, known })
  return { watch: looked.watch, events: [...restored, ...looked.events] }
}

/** Reports only the difference for an answer of another site, and only malformed parts for a root without a state. */
function lookAt(watch: Watch, observed: Observation, look: Look): Step {
  const { difference } = watch.seen
  if (difference !== undefined) return odd(watch, [difference], look.elapsedMs)
  if (isSilent(observed)) return odd(watch, malformedOf(observed), look.elapsedMs)
  return stepThrough(watch, observed, look)
}

/** The time that is left, as a field of an event; none without an earlier configuration. */
export function leftMs({ stages, lastEndMs }: Watch, { estimate }: Known, elapsedMs: number) {
  const left = estimateLeftMs(estimate, { stages, sinceMs: elapsedMs - lastEndMs })
  return left === undefined ? {} : { leftMs: left }
}

interface Look {
  readonly elapsedMs: number
  readonly last: Observation | undefined
  readonly known: Known
}

function stepThrough(watch: Watch, observed: Observation, { elapsedMs, last, known }: Look): Step {
  const begins = !watch.showedBegin && showsBegin(observed, watch.seen.said)
  const changed = changesBetween(watch.stages, observed.stages)
  const spans = spansAfter(watch.spans, changed, elapsedMs)
  const { failedSince, oddities: failures } = failedStages(watch.failedSince, observed, elapsedMs)
  const { motions, changes } = motionsAfter(watch.motions, observed.stages, { elapsedMs, ...known })
  const said = texts(watch, observed)
  const ended = changed.some(({ state }) => state === 'completed')
  const next: Watch = {
    ...watch,
    spans,
    motions,
    failedSince,
    showedBegin: watch.showedBegin || begins,
    stages: changed.length > 0 ? remembered(watch.stages, observed.stages) : watch.stages,
    lastEndMs: ended ? elapsedMs : watch.lastEndMs,
    message: observed.message ?? watch.message,
    told: { ...watch.told, texts: said.told },
  }
  const { watch: after, events: oddities } = odd(
    next,
    [...odditiesOf(last, observed, changed), ...failures],
    elapsedMs,
  )
  const told = changed.map(({ key, ...stage }) => {
    const took = stage.state === 'completed' ? durationMs(spans, key) : undefined
    return took === undefined ? stage : { ...stage, durationMs: took }
  })
  const { stages } = after
  const events: readonly ApplyEvent[] = [
    ...(begins ? [{ type: 'configure-begun' } as const] : []),
    ...(told.length > 0
      ? [
          {
            type: 'stages-changed',
            changed: told,
            stages,
            elapsedMs,
            ...leftMs(after, known, elapsedMs),
          } as const,
        ]
      : []),
    ...changes.map(change => ({ ...change, elapsedMs })),
    ...oddities,
    ...said.events.map(event => ({ ...event, elapsedMs })),
  ]
  return { watch: after, events }
}

/** Selects a new message, and warnings that were not reported yet. */
function texts({ message, told }: Watch, observed: Observation) {
  const isNew = observed.message !== undefined && observed.message !== message
  const words = telling(told.texts, isNew ? [observed.message ?? ''] : [], {
    key: text => `message:${text}`,
    most: 3,
  })
  const warnings = telling(words.told, observed.warnings, { key: text => `warning:${text}`, most: 1 })
  const [said] = words.tell
  const isNews = said !== undefined || warnings.tell.length > 0
  const event = {
    type: 'site-said',
    ...(said !== undefined && { message: said }),
    warnings: warnings.tell,
  } as const
  return { told: warnings.told, events: isNews ? [event] : [] }
}

function odd(watch: Watch, oddities: readonly Oddity[], elapsedMs: number): Step {
  const { told, tell } = telling(watch.told.oddities, oddities, { key: one => JSON.stringify(one), most: 1 })
  return {
    watch: { ...watch, told: { ...watch.told, oddities: told } },
    events: tell.map(oddity => ({ type: 'oddity', oddity, elapsedMs })),
  }
}

/** Reports a failed poll if it fails in another way than the one before. */
function failedLook(watch: Watch, failure: ServiceFailure, elapsedMs: number): Step {
  const { failing } = watch
  const isNew = failing === undefined || wayOf(failing.failure) !== wayOf(failure)
  const { told, tell } = telling(watch.told.failures, isNew ? [failure] : [], { key: wayOf, most: 10 })
  const { looks = 0, sinceMs = elapsedMs } = failing ?? {}
  const isTold = failing?.told === true || tell.length > 0
  return {
    watch: {
      ...watch,
      failing: { failure, looks: looks + 1, sinceMs, told: isTold },
      told: { ...watch.told, failures: told },
    },
    events: tell.map(one => ({ type: 'observation-failed', failure: one, elapsedMs })),
  }
}

function restoredLook({ failing }: Watch, elapsedMs: number): readonly ApplyEvent[] {
  if (failing?.told !== true) return []
  return [{ type: 'observation-restored', failedMs: elapsedMs - failing.sinceMs, elapsedMs }]
}

/** Builds a key for a failure, without texts that may differ each time. */
function wayOf(failure: ServiceFailure): string {
  const { kind } = failure
  const status = 'status' in failure ? failure.status : ''
  const code = 'code' in failure ? failure.code : ''
  return `${kind} ${status} ${code} ${kind === 'no-answer' || kind === 'not-sent' ? failure.reason : ''}`
}
