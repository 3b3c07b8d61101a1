import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.js'
import type { Received } from './http/exchange.js'
import type { RecordedRequest, RequestLog } from './request-log.js'
import { isRefusal } from './service/answers.js'
import type { ServiceResponse } from './service/request.js'
import { route } from './service/route.js'
import { newWorld, type World, type WorldOptions } from './service/world.js'

/** One emulated site, as the program that started it sees it. */
export interface EmulatedSite {
  /** The `{base_url}` of the service document, without a slash at the end. */
  readonly url: string
  /** The last ones, newest last. Requests that another site's page caused are not among them. */
  readonly requests: readonly RecordedRequest[]
  readonly world: () => World
}

export interface Site extends EmulatedSite {
  serve(received: Received): ServiceResponse
}

export interface SiteSurroundings {
  readonly origin: string
  readonly basePath: string
  readonly clock: Clock
  readonly log: RequestLog
}

/** The one place where a world changes: each request makes the next one. */
export function createSite(options: WorldOptions, { origin, basePath, clock, log }: SiteSurroundings): Site {
  const key = randomBytes(16).toString('hex')
  let world = newWorld({ ...options, field: { key, ...options.field } })
  return {
    url: `${origin}${basePath}`,
    get requests() {
      return log.of(basePath)
    },
    world: () => world,
    serve({ request, path, contentType }) {
      const at = clock()
      const [next, response] = route(world, request, at)
      world = next
      const { method, target } = request
      const parts = [...request.query, ...request.body.parts]
      const { operation } = target
      log.add(basePath, { at, method, path, operation, contentType, parts, accepted: !isRefusal(response) })
      return response
    },
  }
}
