import { findStage, findStageProgress } from '../contract/responses.js'
import type { StageRecord } from '../plan/observation.js'
import type { StageTiming } from '../plan/submission.js'

/** The current progress of a configuration. */
interface StageProgress {
  readonly stages: readonly StageRecord[]
  /** The time since a stage last ended. */
  readonly sinceMs: number
  /** The stages that this wait saw from beginning to end. */
  readonly seen: readonly StageTiming[]
}

/**
 * Estimates the remaining time from an earlier configuration of the same site: its time after the same point, scaled by the
 * durations of the stages that both have seen. Stages may run in parallel, so points in time are compared, and durations are
 * not added up. Returns `undefined` if no stage can be compared, an open stage was not timed then, or the estimated time has
 * passed.
 */
export function estimateLeftMs(
  earlier: readonly StageTiming[],
  { stages, sinceMs, seen }: StageProgress,
): number | undefined {
  const then = new Map(earlier.map(timing => [timing.stage.toLowerCase(), timing]))
  const find = (name: string) => then.get((findStage(name) ?? name).toLowerCase())
  const open = stages.filter(stage => !isThrough(stage)).map(({ name }) => find(name)?.endedMs ?? Number.NaN)
  const ratio = compareDurations(
    seen.flatMap(timing => {
      const known = find(timing.stage)
      return known === undefined ? [] : [[known, timing]]
    }),
  )
  if (open.length === 0 || open.some(Number.isNaN)) return undefined
  const total = Math.max(...earlier.map(({ endedMs }) => endedMs))
  const here = Math.max(0, ...stages.filter(isThrough).map(({ name }) => find(name)?.endedMs ?? 0))
  // A stage that takes longer than it did then leaves at least the time that followed it.
  const next = Math.min(total, ...open.filter(end => end > here))
  const left = Math.round(Math.max((total - here) * ratio - sinceMs, (total - next) * ratio))
  return left > 0 ? left : undefined
}

/** Computes the ratio of the durations now to those then; NaN if they were too short to measure. */
function compareDurations(pairs: readonly (readonly [then: StageTiming, now: StageTiming])[]): number {
  const sum = (timings: readonly StageTiming[]) =>
    timings.reduce((before, { beganMs, endedMs }) => before + endedMs - beganMs, 0)
  const [then, now] = [sum(pairs.map(([one]) => one)), sum(pairs.map(([, one]) => one))]
  return then > 0 ? now / then : Number.NaN
}

function isThrough({ state }: StageRecord): boolean {
  return findStageProgress(state) === 'through'
}
