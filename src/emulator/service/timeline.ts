import {
  type StageName,
  type StageState,
  stageNames,
  stageNotApplicableAtFirst,
} from '../../contract/stages.js'
import { siteStates } from '../../contract/states.js'
import type { Durations } from './durations.js'

/** One stage at one moment; times are whole milliseconds since 1970. Service §2.3. */
export type EmulatedStage = {
  readonly name: StageName
  readonly state: StageState
  readonly lastUpdated: number
  /** 0 when the stage has not started or does not apply. */
  readonly startTime: number
}

/** A configuration at one moment: overall state and stages always agree. Service §3. */
export interface Timeline {
  readonly state: (typeof siteStates)[keyof typeof siteStates]
  readonly stages: readonly EmulatedStage[]
}

/**
 * Computes the progress of a configuration: a pure function, so a test reads any moment without waiting. Service §3.
 *
 * The document does not show the transitions between stage states, nor whether stages overlap; here one follows the other,
 * and the stage that does not apply at first never does.
 */
export function computeTimeline(begunAt: number, now: number, durations: Durations): Timeline {
  let startsAt = begunAt
  const stages = stageNames.map((name): EmulatedStage => {
    if (name === stageNotApplicableAtFirst)
      return { name, state: 'not_applicable', lastUpdated: Math.round(begunAt), startTime: 0 }
    const span = { begunAt, startsAt, endsAt: startsAt + durations[name] }
    startsAt = span.endsAt
    return computeStage(name, now, span)
  })
  return { state: now >= startsAt ? siteStates.done : siteStates.running, stages }
}

interface Span {
  readonly begunAt: number
  readonly startsAt: number
  readonly endsAt: number
}

function computeStage(name: StageName, now: number, { begunAt, startsAt, endsAt }: Span): EmulatedStage {
  const startTime = Math.round(startsAt)
  if (now < startsAt) return { name, state: 'not_started', lastUpdated: Math.round(begunAt), startTime: 0 }
  if (now < endsAt) return { name, state: 'in_progress', lastUpdated: startTime, startTime }
  return { name, state: 'completed', lastUpdated: Math.round(endsAt), startTime }
}
