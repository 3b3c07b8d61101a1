import type { Every } from '../page/event-stream.js'
import type { Clock, Wait } from './clock.js'
import type { Delivery, Ending } from './faults/delivery.js'
import type { Fault, Rule } from './faults/fault.js'
import type { RecordedRequest } from './log/recorded-request.js'
import type { Received } from './service/request.js'
import type { World, WorldOptions } from './service/world.js'

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

/** What can be chosen when an emulator is started; every choice has a default that suits a rehearsal. */
export interface EmulatorOptions extends WorldOptions {
  /** The clock. Default: the real one. */
  readonly now?: Clock
  /** How much faster than the clock the time of the service runs. Default 1. */
  readonly speed?: number
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: a random one, so that nothing finds the emulator by guessing. */
  readonly basePath?: string
  /** What those who watch see as the name of its faults. */
  readonly scenario?: string
  /** How many sites there are, each with a world and a base path of its own. Default 1. */
  readonly sites?: number
  /** What goes wrong with one site alone, by its number from 1; it counts before what goes wrong with all. */
  readonly siteFaults?: ReadonlyMap<number, readonly Rule[]>
  /** How delays pass. Default: by timers. */
  readonly wait?: Wait
  /** Is shown every request whole, secrets too, and keeps it from nobody but the log. Nothing outside reaches it. */
  readonly inspect?: (request: Served) => void
  /** What wakes those who listen to events. Default: a timer, while somebody listens. */
  readonly every?: Every
}

/** A running double of the service. It prints nothing and lives until it is closed. As a site it is its first one. */
export interface Emulator extends EmulatedSite {
  readonly sites: readonly EmulatedSite[]
  /** Where a browser shows what the emulator is doing. */
  readonly pageUrl: string
  /** Resolves when every socket is closed; asking twice is allowed. */
  close(): Promise<void>
}
