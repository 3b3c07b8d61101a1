import { knownStage } from '../../contract/stages.js'
import type { StageTiming } from '../../plan/submission.js'
import type { StageChange } from './stages.js'

/** When documented stages began and ended, as far as this wait saw it. */
export type Spans = ReadonlyMap<string, { readonly beganMs: number; readonly endedMs?: number }>

/**
 * The spans after a look. Only a stage that was seen to begin has one: what had begun before the wait has lasted nobody
 * here knows how long. A stage that begins again begins anew.
 */
export function spansAfter(spans: Spans, changed: readonly StageChange[], elapsedMs: number): Spans {
  const after = new Map(spans)
  for (const { key, state, from } of changed) {
    const span = spans.get(key)
    if (knownStage(key) === undefined) continue
    if (from === 'not_started') after.set(key, { beganMs: elapsedMs })
    if (state === 'not_started') after.delete(key)
    if (state !== 'completed') continue
    if (span !== undefined) after.set(key, { beganMs: span.beganMs, endedMs: elapsedMs })
    // Shorter than the time between two looks.
    else if (from === 'not_started') after.set(key, { beganMs: elapsedMs, endedMs: elapsedMs })
  }
  return after
}

/** How long a stage took; `undefined` where it was not seen from its begin to its end. */
export function durationMs(spans: Spans, key: string): number | undefined {
  const span = spans.get(key)
  return span?.endedMs === undefined ? undefined : span.endedMs - span.beganMs
}

/** What a later wait can learn of this one. */
export function timingsOf(spans: Spans): readonly StageTiming[] {
  return [...spans].flatMap(([stage, { beganMs, endedMs }]) =>
    endedMs === undefined ? [] : [{ stage, beganMs, endedMs }],
  )
}
