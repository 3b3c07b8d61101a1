import type { Delivery, Ending } from './faults/delivery.js'
import type { Fault, Rule } from './faults/fault.js'
import type { RecordedRequest } from './log/recorded-request.js'
import type { Received } from './service/request.js'
import type { World } from './service/world.js'

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

/** What the control path may look at: nothing with which anything could be changed. */
export type WatchedSite = Pick<EmulatedSite, 'url' | 'world'>
