import type { SiteReader } from '../client/site-client.js'
import type { StageRecord } from '../plan/observation.js'
import type { StageTiming } from '../plan/submission.js'
import type { Clock, WaitOptions } from './clock.js'
import type { ApplyEvent } from './event.js'
import type { Unfinished, WaitEnd } from './outcome.js'
import { computePauseMs } from './wait/back-off.js'
import type { SiteMark } from './wait/site-mark.js'
import { listTimings } from './wait/timings.js'
import { findWaitResult } from './wait/wait-result.js'
import { estimateLeft, startWaitState, updateWaitState, type WaitState } from './wait/wait-state.js'
import { measureWakingTime } from './wait/waking-time.js'

export interface WaitRequest {
  readonly reader: Pick<SiteReader, 'observe'>
  readonly clock: Clock
  readonly waitOptions: WaitOptions
  random(): number
  /** The stages as they were before the first poll. */
  readonly stages: readonly StageRecord[]
  /** True where the configuration is known to have begun, so that a site that shows none has lost it. */
  readonly begun?: boolean
  /** By what the site was known before, in order: two that agree are its own. */
  readonly marks?: readonly SiteMark[]
  /** The stages of an earlier configuration, to estimate the time that is left. */
  readonly estimate?: readonly StageTiming[]
}

const heartbeatMs = 30_000
const stallMs = 15 * 60_000

/**
 * Polls the site until it is ready, has failed, or another end is certain; only reads. Time in which this process was
 * suspended is not counted. Service §2.3, §3.
 */
export async function* waitUntilReady(
  waiting: WaitRequest,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  const { waitOptions, begun = false, marks = [], estimate = [] } = waiting
  const known = { stages: waiting.stages, begun, marks, estimate, stallMs }
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
    const end = findEnd(watch, polledMs)
    if (end?.kind === 'ready')
      yield { type: 'site-ready', elapsedMs: polledMs, warnings: listWarnings(watch), timings: end.timings }
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

function findEnd({ seen, spans }: WaitState, elapsedMs: number): WaitEnd | undefined {
  const verdict = findWaitResult(seen, elapsedMs)
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

function listWarnings({ seen }: WaitState): readonly string[] {
  return seen.last?.warnings ?? []
}
