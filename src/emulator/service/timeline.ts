import {
  type StageName,
  type StageState,
  stageNames,
  stageNotApplicableAtFirst,
} from '../../contract/stages.js'
import { siteStates } from '../../contract/states.js'

/** One stage at one moment; times are whole milliseconds since 1970. Service §2.3. */
export type StageRecord = {
  readonly name: StageName
  readonly state: StageState
  readonly lastUpdated: number
  /** 0 when the stage has not started or does not apply. */
  readonly startTime: number
}

/** A configuration at one moment: overall state and stages always agree. Service §3. */
export interface Timeline {
  readonly state: (typeof siteStates)[keyof typeof siteStates]
  readonly stages: readonly StageRecord[]
}

/**
 * How far a configuration has come: a function of three numbers, so a test reads any moment without waiting.
 * Service §3.
 *
 * The document does not show the transitions between stage states, nor whether stages overlap; here one follows
 * the other, and the stage that does not apply at first stays so.
 */
export function timeline(begunAt: number, now: number, stageMs: number): Timeline {
  const working = stageNames.filter(name => name !== stageNotApplicableAtFirst)
  const stages = stageNames.map(name =>
    name === stageNotApplicableAtFirst
      ? notApplicable(name, begunAt)
      : stageAt(name, begunAt + working.indexOf(name) * stageMs, { now, begunAt, stageMs }),
  )
  const done = now >= begunAt + working.length * stageMs
  return { state: done ? siteStates.done : siteStates.running, stages }
}

interface Moment {
  readonly now: number
  readonly begunAt: number
  readonly stageMs: number
}

function stageAt(name: StageName, startsAt: number, { now, begunAt, stageMs }: Moment): StageRecord {
  const startTime = Math.round(startsAt)
  if (now < startsAt) return { name, state: 'not_started', lastUpdated: Math.round(begunAt), startTime: 0 }
  if (now < startsAt + stageMs) return { name, state: 'in_progress', lastUpdated: startTime, startTime }
  return { name, state: 'completed', lastUpdated: Math.round(startsAt + stageMs), startTime }
}

function notApplicable(name: StageName, begunAt: number): StageRecord {
  return { name, state: 'not_applicable', lastUpdated: Math.round(begunAt), startTime: 0 }
}
