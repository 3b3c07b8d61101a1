import { reportedSiteStates } from '../../contract/field-notes.js'
import { findStageProgress, type StageName, siteStates } from '../../contract/responses.js'
import { computeProgress } from '../faults/configuration-progress.js'
import type { World } from './world.js'

export type EmulatedSiteState =
  | 'new'
  | (typeof siteStates)[keyof typeof siteStates]
  | Exclude<(typeof reportedSiteStates)[keyof typeof reportedSiteStates], 'not_configured'>

/**
 * Computes the state of a site. `new` is the emulator's own name for a state that the document does not show; other
 * undocumented states follow public reports. Service §3.
 */
export function computeSiteState(world: World, now: number): EmulatedSiteState {
  if (world.configuration === undefined) return 'new'
  if (isSettling(world, now)) return reportedSiteStates.configured
  return computeProgress({ ...world, configuration: world.configuration }, now).state
}

/** True once every stage is finished. Service §3. */
export function isReady(world: World, now: number): boolean {
  return computeSiteState(world, now) === siteStates.done
}

/** True once a stage is complete. */
export function isThrough(world: World, now: number, stage: StageName): boolean {
  const record = computeWorldProgress(world, now)?.stages.find(({ name }) => name === stage)
  return findStageProgress(record?.state ?? '') === 'through'
}

/**
 * True between the end of the last stage and `ready`, when a site is `configured`. Its duration is not reported; here it
 * equals the last stage, so that tests catch a client that takes `configured` for the end.
 */
export function isSettling(world: World, now: number): boolean {
  const progress = world.fidelity === 'field' ? computeWorldProgress(world, now) : undefined
  if (progress?.state !== siteStates.done) return false
  const endedAt = Math.max(...progress.stages.map(({ lastUpdated }) => lastUpdated))
  return now < endedAt + world.durations['Pod replicas']
}

function computeWorldProgress({ configuration, ...world }: World, now: number) {
  return configuration && computeProgress({ ...world, configuration }, now)
}
