import type { StageRecord } from '../../plan/observation.js'
import { keyStages } from './stages.js'

/** The last activity of a stage in progress, by the clock of this process; that of the service is for display. */
export interface StageActivity {
  readonly lastUpdated: number | undefined
  readonly sinceMs: number
  readonly isReported: boolean
}

export type StageActivities = ReadonlyMap<string, StageActivity>

/** A stage that is in progress and does not move, or that moves again. */
export interface StallChange {
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
