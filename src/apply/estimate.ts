import { findStage, stageProgress } from '../contract/responses.js'
import type { StageRecord } from '../plan/observation.js'
import type { StageTiming } from '../plan/submission.js'

/** Selects, of several earlier configurations, the one with the median duration. */
export function selectTypicalTimings(earlier: readonly (readonly StageTiming[])[]): readonly StageTiming[] {
  const total = (timings: readonly StageTiming[]) => Math.max(0, ...timings.map(({ endedMs }) => endedMs))
  const sorted = earlier.toSorted((one, other) => total(one) - total(other))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? []
}

/** The present progress of a configuration. */
export interface StageProgress {
  readonly stages: readonly StageRecord[]
  /** The time since a stage last ended. */
  readonly sinceMs: number
}

/**
 * The time that is left, by an earlier configuration from the same point on; stages may well run beside each other, so
 * points are compared and no durations added. `undefined` where a stage is still open that was not timed then: what is
 * not known is not made up.
 */
export function estimateLeftMs(
  earlier: readonly StageTiming[],
  { stages, sinceMs }: StageProgress,
): number | undefined {
  const ends = new Map(earlier.map(({ stage, endedMs }) => [stage.toLowerCase(), endedMs]))
  const findEnd = ({ name }: StageRecord) => ends.get((findStage(name) ?? name).toLowerCase())
  const through = stages.filter(stage => isThrough(stage))
  const open = stages.filter(stage => !isThrough(stage)).map(stage => findEnd(stage) ?? Number.NaN)
  if (open.length === 0 || open.some(Number.isNaN)) return undefined
  const total = Math.max(...ends.values())
  const here = Math.max(0, ...through.map(stage => findEnd(stage) ?? 0))
  // What takes longer than it did leaves at least what came after it.
  const next = Math.min(total, ...open.filter(end => end > here))
  return Math.max(total - here - sinceMs, total - next, 0)
}

function isThrough({ state }: StageRecord): boolean {
  return (
    Object.hasOwn(stageProgress, state) && stageProgress[state as keyof typeof stageProgress] === 'through'
  )
}
