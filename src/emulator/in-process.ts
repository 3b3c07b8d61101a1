import type { EmulatorClock } from './clock.js'
import type { Arrival, EmulatedSite, ServedRequest } from './emulated-site.js'
import { parseRequest, type RawRequest } from './http/exchange.js'
import { redactRequest } from './log/redact-request.js'
import { createRequestLog } from './log/request-log.js'
import type { WorldOptions } from './service/world.js'
import { createSite } from './site.js'

/** Options of the service, with its address and its clock. */
export interface InProcessOptions extends WorldOptions {
  /** The `{base_url}` of the site. */
  readonly url: string
  readonly now: EmulatorClock
}

/** A site without a socket. Records only the requests that are not GET. */
export interface InProcessSite extends EmulatedSite {
  arrive(request: RawRequest): Promise<Arrival>
}

/** Makes a service in the process of its caller, with the clock of the caller: hours pass in no time. */
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
