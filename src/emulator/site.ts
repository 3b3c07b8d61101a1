import { randomBytes } from 'node:crypto'
import type { EmulatorClock } from './clock.js'
import type { EmulatorOptions, ReceivingSite, ServedRequest } from './emulated-site.js'
import { computeHoldMs, deliver } from './faults/deliver.js'
import { listUnmetRules, meetFault } from './faults/meet.js'
import type { RequestLog } from './log/request-log.js'
import { replayDelivery } from './replayed.js'
import { route } from './service/route.js'
import { newWorld, type WorldOptions } from './service/world.js'

export interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: EmulatorClock
  readonly log: RequestLog
  onServed(request: ServedRequest): void
}

/** Options of the service, and what answers in its place. */
export type SiteOptions = WorldOptions & Pick<EmulatorOptions, 'replay'>

/** Makes a site, the only place where a world is replaced: each request makes the next one. */
export function createSite(options: SiteOptions, surroundings: SiteSurroundings): ReceivingSite {
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
      const { replay } = options
      if (replay !== undefined)
        return {
          heldMs: 0,
          deliver() {
            const delivery = replayDelivery(replay, request, basePath)
            onServed({ at: clock(), site: basePath, received, delivery, fault: undefined })
            return delivery.ending
          },
        }
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
