import type { WatchedSite } from '../emulated-site.js'
import { computeSiteStatus, type EmulatedStatus, isUnchanging, type StageStatus } from './site-status.js'

/** A change of a site. */
export type SiteChange =
  | ({ readonly event: 'stage'; readonly site: string } & StageStatus)
  | ({ readonly event: 'state'; readonly site: string } & Pick<EmulatedStatus, 'state' | 'through'>)

/** Finds the changes since the last call; sites that do not change cost nothing. */
export interface SiteWatch {
  /** Marks a site that may have changed because of a request. */
  touch(site: string): void
  changes(now: number): readonly SiteChange[]
}

/** Watches sites by polling: their stages are functions of time, so nothing signals a change. */
export function createSiteWatch(siteAt: (site: string) => WatchedSite): SiteWatch {
  const seen = new Map<string, EmulatedStatus>()
  const moving = new Set<string>()
  return {
    touch: site => moving.add(site),
    changes: now =>
      [...moving].flatMap(site => {
        const world = siteAt(site).world()
        const after = computeSiteStatus(world, now)
        const before = seen.get(site) ?? { state: 'new', through: 0, stages: [] }
        seen.set(site, after)
        if (isUnchanging(world, after)) moving.delete(site)
        return listChanges(site, before, after)
      }),
  }
}

function listChanges(site: string, before: EmulatedStatus, after: EmulatedStatus): readonly SiteChange[] {
  const stages = after.stages.filter(
    ({ state }, index) => state !== (before.stages[index]?.state ?? 'not_started'),
  )
  const { state, through } = after
  const moved = state !== before.state || through !== before.through
  return [
    ...stages.map(stage => ({ event: 'stage' as const, site, ...stage })),
    ...(moved ? [{ event: 'state' as const, site, state, through }] : []),
  ]
}
