import { reportedSiteStates } from '../../contract/field-notes.js'
import { type StageName, stageProgress } from '../../contract/stages.js'
import { siteStates } from '../../contract/states.js'
import { courseAt } from '../faults/course.js'
import type { World } from './world.js'

export type SiteState =
  | 'new'
  | (typeof siteStates)[keyof typeof siteStates]
  | Exclude<(typeof reportedSiteStates)[keyof typeof reportedSiteStates], 'not_configured'>

/**
 * Computes the state of a site; `new` is the emulator's own name for a state that the document does not show. Service §3.
 * The states that are not documented are reported.
 */
export function siteState(world: World, now: number): SiteState {
  if (world.configuration === undefined) return 'new'
  if (isSettling(world, now)) return reportedSiteStates.configured
  return courseAt({ ...world, configuration: world.configuration }, now).state
}

/** True once every stage is finished. Service §3. */
export function isReady(world: World, now: number): boolean {
  return siteState(world, now) === siteStates.done
}

/** True once a stage is complete. */
export function isThrough(world: World, now: number, stage: StageName): boolean {
  const progress: Readonly<Record<string, string>> = stageProgress
  const record = courseOf(world, now)?.stages.find(({ name }) => name === stage)
  return progress[record?.state ?? ''] === 'through'
}

/**
 * True between the end of the last stage and `ready`, when a site is `configured`. The duration is not reported; here it is
 * that of the last stage, so that tests catch a client that takes `configured` for the end.
 */
export function isSettling(world: World, now: number): boolean {
  const progress = world.fidelity === 'field' ? courseOf(world, now) : undefined
  if (progress?.state !== siteStates.done) return false
  const endedAt = Math.max(...progress.stages.map(({ lastUpdated }) => lastUpdated))
  return now < endedAt + world.durations['Pod replicas']
}

function courseOf({ configuration, ...world }: World, now: number) {
  return configuration && courseAt({ ...world, configuration }, now)
}
