import type { WatchedSite } from '../emulated-site.js'
import { isSettled, type SiteStatus, type StageStatus, siteStatus } from './site-status.js'

/** A change of a site. */
export type Change =
  | ({ readonly event: 'stage'; readonly site: string } & StageStatus)
  | ({ readonly event: 'state'; readonly site: string } & Pick<SiteStatus, 'state' | 'through'>)

/** Finds the changes since the last call; sites that do not change cost nothing. */
export interface SiteWatch {
  /** Marks a site that may have changed because of a request. */
  touch(site: string): void
  changes(now: number): readonly Change[]
}

/** Watches sites by polling: their stages are functions of time, so nothing signals a change. */
export function siteWatch(siteAt: (site: string) => WatchedSite): SiteWatch {
  const seen = new Map<string, SiteStatus>()
  const moving = new Set<string>()
  return {
    touch: site => moving.add(site),
    changes: now =>
      [...moving].flatMap(site => {
        const world = siteAt(site).world()
        const after = siteStatus(world, now)
        const before = seen.get(site) ?? { state: 'new', through: 0, stages: [] }
        seen.set(site, after)
        if (isSettled(world, after)) moving.delete(site)
        return changesBetween(site, before, after)
      }),
  }
}

function changesBetween(site: string, before: SiteStatus, after: SiteStatus): readonly Change[] {
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
