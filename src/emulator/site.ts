import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'
import { deliver, heldMs } from './faults/deliver.js'
import type { Delivery, Ending } from './faults/delivery.js'
import type { Fault, Rule } from './faults/fault.js'
import { meet, unmetRules } from './faults/meet.js'
import type { Received } from './http/exchange.js'
import type { RecordedRequest } from './log/recorded-request.js'
import type { RequestLog } from './log/request-log.js'
import { newWorld, type World, type WorldOptions } from './service/world.js'

/** One emulated site, as the program that started it sees it. */
export interface EmulatedSite {
  /** The `{base_url}` of the service document, without a slash at the end. */
  readonly url: string
  /** The last ones, newest last, masked. Requests that another site's page caused are not among them. */
  readonly requests: readonly RecordedRequest[]
  readonly world: () => World
  /** The faults that nothing has met so far: a rehearsal in which one stays here showed less than it was meant to. */
  readonly unmet: () => readonly Rule[]
}

/** A request that came in, on its way to the service. */
export interface Arrival {
  readonly heldMs: number
  /** Carries it out, or does not. To be called once. */
  deliver(): Ending
}

export interface Site extends EmulatedSite {
  arrive(received: Received): Arrival
}

/** A request and what became of it, not yet masked. `site` is the base path of the site. */
export interface Served {
  readonly at: number
  readonly site: string
  readonly received: Received
  readonly delivery: Delivery
  /** The fault that it met. */
  readonly fault: Fault['kind'] | undefined
}

export interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: Clock
  readonly log: RequestLog
  served(request: Served): void
}

/** The one place where a world changes: each request makes the next one. */
export function createSite(options: WorldOptions, surroundings: SiteSurroundings): Site {
  const { origin, basePath, clock, log, served } = surroundings
  const key = randomBytes(16).toString('hex')
  let world = newWorld({ ...options, field: { key, ...options.field } })
  return {
    url: `${origin}${basePath}`,
    get requests() {
      return log.of(basePath)
    },
    world: () => world,
    unmet: () => unmetRules(world),
    arrive(received) {
      const { request } = received
      const [met, fault] = meet(world, { operation: request.target.operation, now: clock() })
      world = met
      return {
        heldMs: heldMs(fault),
        deliver() {
          const at = clock()
          const [next, delivery] = deliver(world, { request, fault, now: at })
          world = next
          served({ at, site: basePath, received, delivery, fault: fault?.kind })
          return delivery.ending
        },
      }
    },
  }
}
