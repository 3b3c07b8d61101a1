import {
  createEventStream,
  type EventStream,
  type Every,
  everyInterval,
} from '../../live-page/event-stream.js'
import type { EmulatorClock } from '../clock.js'
import type { ReceivingSite, ServedRequest } from '../emulated-site.js'
import { redactRequest } from '../log/redact-request.js'
import { createRequestLog, type RequestLog } from '../log/request-log.js'
import { createSiteWatch } from './site-watch.js'

/** Records and publishes the requests and states of the sites; they use `served` only. */
export interface Observer {
  readonly log: RequestLog
  readonly events: EventStream
  onServed(request: ServedRequest): void
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
      stream.publish({ event: 'request', about: site, data: { ...recorded, counter } })
    },
  }

  function publishChanges() {
    // State changes go to all listeners, also to those that selected one site.
    for (const { event, ...data } of watch.changes(clock()))
      stream.publish({ event, ...(event === 'stage' && { about: data.site }), data })
  }
}
