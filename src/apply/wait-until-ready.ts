import type { ServiceFailure } from '../client/failure.js'
import type { SiteReader } from '../client/site-client.js'
import type { Clock, WaitOptions } from './clock.js'
import type { ApplyEvent } from './generated/event.js'
import type { Unfinished, WaitEnd } from './outcome.js'
import { findWaitResult } from './wait/observed.js'
import { listTimings } from './wait/reported.js'
import {
  estimateLeft,
  startWaitState,
  updateWaitState,
  type WaitFacts,
  type WaitState,
} from './wait/state.js'

/** The facts that a wait starts with; `stages` alone are always known. */
export interface WaitRequest
  extends Pick<WaitFacts, 'stages'>,
    Partial<Omit<WaitFacts, 'stages' | 'stallMs'>> {
  readonly reader: Pick<SiteReader, 'observe'>
  readonly clock: Clock
  readonly waitOptions: WaitOptions
  random(): number
}

/** A heartbeat is reported after this time without another event. */
const heartbeatMs = 30_000
/** A stage without a change, before it is reported as stalled. */
const stallPeriodMs = 15 * 60_000

/**
 * Polls the site until it is ready, has failed, or another end is certain; only reads. Time in which this process was
 * suspended is not counted. Service §2.3, §3.
 */
export async function* waitUntilReady(
  waiting: WaitRequest,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  const { waitOptions, begun = false, isAnswered = false, marks = [], estimate = [] } = waiting
  const known = { stages: waiting.stages, begun, isAnswered, marks, estimate, stallMs: stallPeriodMs }
  const time = measureWakingTime(waiting.clock)
  let watch = startWaitState(known)
  let newsMs = 0
  while (!signal.aborted) {
    const reply = await waiting.reader.observe(signal)
    if (signal.aborted) break
    const polledMs = time.elapsedMs()
    const step = updateWaitState(watch, reply, { elapsedMs: polledMs, known })
    watch = step.watch
    if (step.events.length > 0) newsMs = polledMs
    yield* step.events
    const end = findEnd(watch)
    if (end?.kind === 'ready')
      yield {
        type: 'site-ready',
        elapsedMs: polledMs,
        warnings: watch.seen.last?.warnings ?? [],
        timings: end.timings,
      }
    if (end !== undefined) return end
    if (polledMs >= waitOptions.timeoutMs)
      return { kind: 'timeout', last: watch.seen.last, ...toUnfinished(watch) }
    const untilMs = Math.min(polledMs + computePause(watch, waiting), waitOptions.timeoutMs)
    for (;;) {
      const elapsedMs = time.elapsedMs()
      if (elapsedMs - newsMs >= heartbeatMs) {
        newsMs = elapsedMs
        yield buildHeartbeat(watch, elapsedMs, estimateLeft(watch, known, elapsedMs))
      }
      if (signal.aborted || elapsedMs >= untilMs) break
      const lostMs = await time.sleep(Math.min(untilMs, newsMs + heartbeatMs) - elapsedMs, signal)
      if (lostMs > 0)
        yield { type: 'anomaly', anomaly: { kind: 'stood-still', ms: lostMs }, elapsedMs: time.elapsedMs() }
    }
  }
  return { kind: 'interrupted', ...toUnfinished(watch) }
}

function toUnfinished({ seen, failing }: WaitState): Unfinished {
  return {
    begun: seen.begun,
    ...(failing && { failure: failing.failure }),
    ...(seen.wasSilent && { wasSilent: true }),
  }
}

function findEnd({ seen, spans }: WaitState): WaitEnd | undefined {
  const verdict = findWaitResult(seen)
  if (verdict?.kind === 'ready') return { ...verdict, timings: listTimings(spans) }
  return verdict?.kind === 'not-allowed' ? { ...verdict, begun: seen.begun } : verdict
}

function computePause({ failing }: WaitState, { waitOptions, random }: WaitRequest): number {
  const { polls: failures = 0, failure } = failing ?? {}
  return computePauseMs({ pollMs: waitOptions.pollMs, failures, failure, random: random() })
}

function buildHeartbeat(
  { stages, failing }: WaitState,
  elapsedMs: number,
  left: { readonly leftMs?: number },
): ApplyEvent {
  return { type: 'heartbeat', stages, elapsedMs, ...left, ...(failing && { failure: failing.failure }) }
}

/** The facts that decide the pause before the next poll. */
interface BackOff {
  readonly pollMs: number
  /** Polls in a row that failed. */
  readonly failures: number
  /** The failure of the last poll, if it failed. */
  readonly failure: ServiceFailure | undefined
  /** From 0 to 1. */
  readonly random: number
}

/** A poll after a failed one, at most. The pause doubles, starting with the time between two polls. */
const maxPauseMs = 60_000
/** A poll after a response with `Retry-After`, which is kept within these bounds. */
const retryAfterPauseMs = { min: 1000, max: 300_000 } as const

/**
 * Computes the pause before the next poll, with jitter so that many runs do not poll at once. After failed polls it
 * doubles, up to a minute; a pause that the site asks for is kept within one second and five minutes.
 */
function computePauseMs({ pollMs, failures, failure, random }: BackOff): number {
  if (failure?.kind === 'trouble' && failure.retryAfterMs !== undefined) {
    const wanted = Math.min(Math.max(failure.retryAfterMs, retryAfterPauseMs.min), retryAfterPauseMs.max)
    return Math.max(wanted, pollMs) * (1 + random * 0.1)
  }
  const doubled = pollMs * 2 ** Math.min(Math.max(failures - 1, 0), 30)
  const backedOff = Math.max(pollMs, Math.min(doubled, maxPauseMs))
  return backedOff * (0.9 + random * 0.2)
}

/** If a sleep overruns by this much, the process was suspended. */
const stoodStillMs = 60_000
/** A poll or a state write between two readings of the clock has deadlines and takes less than this. */
const maxWorkMs = 5 * 60_000

/** A clock that leaves out the times in which this process was suspended. */
interface WakingTime {
  elapsedMs(): number
  /** Sleeps, and returns how long the process was suspended, in this sleep or in the work before it: usually 0. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<number>
}

/**
 * Measures a wait without the times in which the machine slept or the process was suspended: such a time counts
 * for no deadline and no stall.
 */
function measureWakingTime(clock: Clock): WakingTime {
  const startedMs = clock.monotonicMs()
  let lostMs = 0
  let untoldMs = 0
  let readMs = startedMs
  const lose = (milliseconds: number) => {
    lostMs += milliseconds
    untoldMs += milliseconds
  }
  const read = () => {
    const sinceMs = clock.monotonicMs() - readMs
    if (sinceMs >= maxWorkMs) lose(sinceMs)
    readMs += sinceMs
    return readMs
  }
  return {
    elapsedMs: () => read() - startedMs - lostMs,
    async sleep(milliseconds, signal) {
      const beforeMs = read()
      await clock.sleep(milliseconds, signal)
      readMs = clock.monotonicMs()
      const lateMs = readMs - beforeMs - Math.max(0, milliseconds)
      if (lateMs >= stoodStillMs) lose(lateMs)
      const reportedMs = untoldMs
      untoldMs = 0
      return reportedMs
    },
  }
}
