import { randomBytes } from 'node:crypto'
import type { EmulatorClock } from './clock.js'
import type { ReceivingSite, ServedRequest } from './emulated-site.js'
import { computeHoldMs, deliver } from './faults/deliver.js'
import { listUnmetRules, meetFault } from './faults/meet.js'
import type { RequestLog } from './log/request-log.js'
import { route } from './service/route.js'
import { newWorld, type WorldOptions } from './service/world.js'

export interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: EmulatorClock
  readonly log: RequestLog
  onServed(request: ServedRequest): void
}

/** Makes a site, the only place where a world is replaced: each request makes the next one. */
export function createSite(options: WorldOptions, surroundings: SiteSurroundings): ReceivingSite {
  const { origin, basePath, clock, log, onServed } = surroundings
  const key = randomBytes(16).toString('hex')
  let world = newWorld({ ...options, field: { key, ...options.field } })
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
