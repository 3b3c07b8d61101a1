import type { OperationName } from '../../contract/operation-name.js'
import {
  createEventStream,
  type EventStream,
  type Every,
  everyInterval,
} from '../../live-page/event-stream.js'
import type { EmulatorClock } from '../clock.js'
import type { ReceivingSite, ServedRequest } from '../emulated-site.js'
import type { RecordedRequest } from '../log/recorded-request.js'
import { redactRequest } from '../log/redact-request.js'
import { createRequestLog, type RequestLog } from '../log/request-log.js'
import type { World } from '../service/world.js'
import { createSiteWatch } from './site-watch.js'

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
