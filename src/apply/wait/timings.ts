import { findStage } from '../../contract/stages.js'
import type { StageTiming } from '../../plan/submission.js'
import type { StageChange } from './stages.js'

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
    // Shorter than the time between two looks.
    else if (from === 'not_started') after.set(key, { beganMs: elapsedMs, endedMs: elapsedMs })
  }
  return after
}

/** The duration of a stage; `undefined` unless its start and its end were seen. */
export function findDurationMs(spans: Spans, key: string): number | undefined {
  const span = spans.get(key)
  return span?.endedMs === undefined ? undefined : span.endedMs - span.beganMs
}

/** The timings for later waits. */
export function listTimings(spans: Spans): readonly StageTiming[] {
  return [...spans].flatMap(([stage, { beganMs, endedMs }]) =>
    endedMs === undefined ? [] : [{ stage, beganMs, endedMs }],
  )
}
