import { type EventStream, type Every, eventStream, everyReally } from '../../page/event-stream.js'
import type { Clock } from '../clock.js'
import type { Served, Site } from '../emulated-site.js'
import { maskedRequest } from '../log/masked-request.js'
import { type RequestLog, requestLog } from '../log/request-log.js'
import { siteWatch } from './site-watch.js'

/** Records and publishes the requests and states of the sites; they use `served` only. */
export interface Observer {
  readonly log: RequestLog
  readonly events: EventStream
  served(request: Served): void
}

export interface Observed {
  readonly clock: Clock
  readonly every?: Every | undefined
  readonly inspect?: ((request: Served) => void) | undefined
  siteAt(basePath: string): Site
}

/** Redacts each request once, before anything can store it or pass it on. */
export function observer({ clock, every = everyReally, inspect, siteAt }: Observed): Observer {
  const log = requestLog()
  const watch = siteWatch(siteAt)
  const stream = eventStream({ every, look: publishChanges, lookMs: 200, keptAtMost: 1000 })
  return {
    log,
    events: stream,
    served(request) {
      inspect?.(request)
      const { site } = request
      const recorded = log.add(maskedRequest(request))
      watch.touch(site)
      const { operation } = recorded
      const counter = operation === 'unknown' ? null : siteAt(site).world().counters[operation]
      stream.publish({ event: 'request', about: site, data: { ...recorded, counter } })
    },
  }

  function publishChanges() {
    // State changes go to all listeners, also to those that selected one site.
    for (const { event, ...data } of watch.changes(clock()))
      stream.publish({ event, ...(event === 'stage' && { about: data.site }), data })
  }
}
