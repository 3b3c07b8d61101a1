import type { Clock } from './clock.js'
import type { Arrival, EmulatedSite, Served } from './emulated-site.js'
import { type RawRequest, understood } from './http/exchange.js'
import { maskedRequest } from './log/masked-request.js'
import { requestLog } from './log/request-log.js'
import type { WorldOptions } from './service/world.js'
import { createSite } from './site.js'

/** How the service behaves, and what it takes its address and its time from. */
export interface InProcessOptions extends WorldOptions {
  /** The `{base_url}` that the site believes to have. */
  readonly url: string
  readonly now: Clock
}

/** A site without a socket. Of its requests it keeps those that are more than a look. */
export interface InProcessSite extends EmulatedSite {
  arrive(request: RawRequest): Promise<Arrival>
}

/** The service in the process of whoever asks it, on a clock that is theirs, too: hours take no time. */
export function siteInProcess({ url, now, ...world }: InProcessOptions): InProcessSite {
  const { origin, pathname } = new URL(url)
  const basePath = pathname.replace(/\/+$/, '')
  const log = requestLog()
  const served = (request: Served) => {
    if (request.received.request.method !== 'GET') log.add(maskedRequest(request))
  }
  const site = createSite(world, { origin, basePath, clock: now, log, served })
  return {
    url: site.url,
    get requests() {
      return site.requests
    },
    world: site.world,
    unmet: site.unmet,
    arrive: async request => site.arrive(await understood(request, basePath)),
  }
}
