import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'
import type { Served, Site } from './emulated-site.js'
import { deliver, heldMs } from './faults/deliver.js'
import { meet, unmetRules } from './faults/meet.js'
import type { RequestLog } from './log/request-log.js'
import { route } from './service/route.js'
import { newWorld, type WorldOptions } from './service/world.js'

export interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: Clock
  readonly log: RequestLog
  served(request: Served): void
}

/** Makes a site, the only place where a world is replaced: each request makes the next one. */
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
          const [next, delivery] = deliver(world, { request, fault, now: at, route })
          world = next
          served({ at, site: basePath, received, delivery, fault: fault?.kind })
          return delivery.ending
        },
      }
    },
  }
}
