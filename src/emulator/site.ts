import { randomBytes } from 'node:crypto'
import type { Arrival, EmulatedSite, EmulatorClock, ReceivingSite, ServedRequest } from './emulated-site.js'
import { computeHoldMs, deliver, listUnmetRules, meetFault } from './faults/meet.js'
import { parseRequest, type RawRequest } from './http/exchange.js'
import { redactRequest } from './log/redact-request.js'
import { createRequestLog, type RequestLog } from './log/request-log.js'
import { route } from './service/route.js'
import { newWorld, type WorldOptions } from './service/world.js'

interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: EmulatorClock
  readonly log: RequestLog
  onServed(request: ServedRequest): void
}

/** Creates a site. Only a site replaces its world: each request produces the next one. */
export function createSite(options: WorldOptions, surroundings: SiteSurroundings): ReceivingSite {
  const { origin, basePath, clock, log, onServed } = surroundings
  const key = randomBytes(16).toString('hex')
  const start = newWorld({ ...options, field: { key, ...options.field } })
  let world = options.configured === true ? { ...start, startedAt: clock() } : start
  return {
    url: `${origin}${basePath}`,
    get requests() {
      return log.of(basePath)
    },
    world: () => world,
    unmet: () => listUnmetRules(world),
    arrive(received) {
      const { request } = received
      const [met, fault] = meetFault(world, { operation: request.target.operation, now: clock() })
      world = met
      return {
        heldMs: computeHoldMs(fault),
        deliver() {
          const at = clock()
          const [next, delivery] = deliver(world, { request, fault, now: at, route })
          world = next
          onServed({ at, site: basePath, received, delivery, fault: fault?.kind })
          return delivery.ending
        },
      }
    },
  }
}

/** Options of the service, with its address and its clock. */
interface InProcessOptions extends WorldOptions {
  /** The `{base_url}` of the site. */
  readonly url: string
  readonly now: EmulatorClock
}

/** A site without a socket. Records only the requests that are not GET. */
export interface InProcessSite extends EmulatedSite {
  arrive(request: RawRequest): Promise<Arrival>
}

/** Creates a site in the caller's process, with the caller's clock, so hours can pass in no time. */
export function createSiteInProcess({ url, now, ...options }: InProcessOptions): InProcessSite {
  const { origin, pathname } = new URL(url)
  const basePath = pathname.replace(/\/+$/, '')
  const log = createRequestLog()
  const logWrite = (request: ServedRequest) => {
    if (request.received.request.method !== 'GET') log.add(redactRequest(request))
  }
  const site = createSite(options, { origin, basePath, clock: now, log, onServed: logWrite })
  return {
    url: site.url,
    get requests() {
      return site.requests
    },
    world: site.world,
    unmet: site.unmet,
    arrive: async request => site.arrive(await parseRequest(request, basePath)),
  }
}
