import { reportedSiteStates } from '../../contract/field-notes.js'
import { siteStates } from '../../contract/states.js'
import { courseAt } from '../faults/course.js'
import { isSettling } from '../field/progress.js'
import type { World } from './world.js'

export type SiteState =
  | 'new'
  | (typeof siteStates)[keyof typeof siteStates]
  | Exclude<(typeof reportedSiteStates)[keyof typeof reportedSiteStates], 'not_configured'>

/**
 * Where the site stands; `new` is the emulator's own word for what the document does not show. Service §3. The states
 * beside the documented ones are reported.
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
