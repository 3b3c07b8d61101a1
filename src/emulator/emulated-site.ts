import type { Delivery, RequestEnding } from './faults/ending.js'
import type { Fault, FaultRule } from './faults/fault.js'
import type { RecordedRequest } from './log/request-log.js'
import type { ReceivedRequest } from './service/request.js'
import type { World, WorldOptions } from './service/world.js'

/** The time in milliseconds since 1970, the only one that the emulator uses. */
export type EmulatorClock = () => number

/** Makes a clock that starts at the time of another one and runs `speed` times as fast. */
export function scaleClock(base: EmulatorClock, speed: number): EmulatorClock {
  const begun = base()
  return () => begun + (base() - begun) * speed
}

/** Waits, and ends early on a signal. Tests replace the real timers. */
export type EmulatorWait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** One emulated site, for the program that started it. */
export interface EmulatedSite {
  /** The `{base_url}` of the service document, without a slash at the end. */
  readonly url: string
  /** The last requests, newest last, redacted; without those that a page of another origin caused. */
  readonly requests: readonly RecordedRequest[]
  readonly world: () => World
  /** The faults that no request has met so far; those that remain after a rehearsal were not tested. */
  readonly unmet: () => readonly FaultRule[]
}

/** A request that arrived and is not carried out yet. */
export interface Arrival {
  readonly heldMs: number
  /** Carries it out unless a fault prevents that. Call it once. */
  deliver(): RequestEnding
}

export interface ReceivingSite extends EmulatedSite {
  arrive(received: ReceivedRequest): Arrival
}

/** A request and its result, not yet redacted. `site` is the base path of the site. */
export interface ServedRequest {
  readonly at: number
  readonly site: string
  readonly received: ReceivedRequest
  readonly delivery: Delivery
  /** The fault that it met. */
  readonly fault: Fault['kind'] | undefined
}

/** The part of a site that the control path can read; it cannot change anything. */
export type WatchedSite = Pick<EmulatedSite, 'url' | 'world'>

/** Options of an emulator; every option has a default that suits a rehearsal. */
export interface EmulatorOptions extends WorldOptions {
  /** The clock. Default: the real one. */
  readonly now?: EmulatorClock
  /** The speed of the time of the service, relative to the clock. Default 1. */
  readonly speed?: number
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: a random one, so that nothing finds the emulator by guessing. */
  readonly basePath?: string
  /** The name of the scenario on the page. */
  readonly scenario?: string
  /** The number of sites, each with its own world and base path. Default 1. */
  readonly sites?: number
  /** Faults of single sites, by number from 1; they come before the faults of all sites. */
  readonly siteFaults?: ReadonlyMap<number, readonly FaultRule[]>
  /** Implements delays. Default: timers. */
  readonly wait?: EmulatorWait
  /** Receives every request unredacted, with its secrets; the log does not. For the program itself only. */
  readonly inspect?: (request: ServedRequest) => void
  /** Called when `DELETE /_emulator/` asks the emulator to end; without it that request is rejected. */
  readonly onStop?: () => void
  /** Calls `onStop` after this time without a request or an open connection. */
  readonly idleMs?: number
}

/** A running emulator. Prints nothing, and runs until it is closed. As an `EmulatedSite` it stands for its first site. */
export interface Emulator extends EmulatedSite {
  readonly sites: readonly EmulatedSite[]
  /** The ID of this emulator, sent in each of its answers. */
  readonly instance: string
  /** The address of the page that shows the activity of the emulator. */
  readonly pageUrl: string
  /** Resolves when every socket is closed; may be called twice. */
  close(): Promise<void>
}
