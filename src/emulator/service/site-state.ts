import { siteStates } from '../../contract/states.js'
import { timeline } from './timeline.js'
import type { World } from './world.js'

type SiteState = 'new' | (typeof siteStates)[keyof typeof siteStates]

/** Where the site stands; `new` is the emulator's own word for what the document does not show. Service §3. */
export function siteState(world: World, now: number): SiteState {
  if (world.configuration === undefined) return 'new'
  return timeline(world.configuration.begunAt, now, world.durations).state
}

/** True once every stage is finished. Service §3. */
export function isReady(world: World, now: number): boolean {
  return siteState(world, now) === siteStates.done
}
