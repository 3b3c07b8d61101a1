import type { OperationName } from '../../contract/parameter.js'
import type { EmulatorClock, ReceivingSite, ServedRequest, WatchedSite } from '../emulated-site.js'
import { createEventStream, type EventStream, type Every, everyInterval } from '../http/event-stream.js'
import { redactRequest } from '../log/redact-request.js'
import { createRequestLog, type RecordedRequest, type RequestLog } from '../log/request-log.js'
import type { World } from '../service/world.js'
import { computeSiteStatus, type EmulatedStatus, isUnchanging, type StageStatus } from './state-document.js'

/** Records and publishes the requests and states of the sites; they use `served` only. */
export interface Observer {
  readonly log: RequestLog
  readonly events: EventStream
  onServed(request: ServedRequest): void
}

/** A request as the page receives it, with the new counter of its operation. */
export interface PublishedRequest extends RecordedRequest {
  readonly counter: World['counters'][OperationName] | null
}

export interface ObserverOptions {
  readonly clock: EmulatorClock
  readonly every?: Every | undefined
  readonly inspect?: ((request: ServedRequest) => void) | undefined
  siteAt(basePath: string): ReceivingSite
}

/** Redacts each request once, before anything can store it or pass it on. */
export function createObserver({ clock, every = everyInterval, inspect, siteAt }: ObserverOptions): Observer {
  const log = createRequestLog()
  const watch = createSiteWatch(siteAt)
  const stream = createEventStream({
    every,
    detectChanges: publishChanges,
    detectionMs: 200,
    maxKeptEvents: 1000,
  })
  return {
    log,
    events: stream,
    onServed(request) {
      inspect?.(request)
      const { site } = request
      const recorded = log.add(redactRequest(request))
      watch.touch(site)
      const { operation } = recorded
      const counter = operation === 'unknown' ? null : siteAt(site).world().counters[operation]
      const data: PublishedRequest = { ...recorded, counter }
      stream.publish({ event: 'request', about: site, data })
    },
  }

  function publishChanges() {
    // State changes go to all listeners, also to those that selected one site.
    for (const { event, ...data } of watch.changes(clock()))
      stream.publish({ event, ...(event === 'stage' && { about: data.site }), data })
  }
}

/** A change of a site. */
export type SiteChange =
  | ({ readonly event: 'stage'; readonly site: string } & StageStatus)
  | ({ readonly event: 'state'; readonly site: string } & Pick<EmulatedStatus, 'state' | 'through'>)

/** Finds the changes since the last call; sites that do not change cost nothing. */
interface SiteWatch {
  /** Marks a site that may have changed because of a request. */
  touch(site: string): void
  changes(now: number): readonly SiteChange[]
}

/** Watches sites by polling: their stages are functions of time, so nothing signals a change. */
function createSiteWatch(siteAt: (site: string) => WatchedSite): SiteWatch {
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
