import type { ApplyEvent } from '../apply/generated/event.js'
import type { WaitEnd } from '../apply/outcome.js'
import { type WaitRequest, waitUntilReady } from '../apply/wait-until-ready.js'
import { siteReader } from '../client/site-reader.js'
import { isLoopback } from '../manifest/site-url.js'
import type { Site } from './site.js'

/** Watches a running configuration until it ends. Sends only GET and the sign-in request, and writes no state. */
export function followSite(
  { url, route, provideToken }: Pick<Site, 'url' | 'route' | 'provideToken'>,
  how: Omit<WaitRequest, 'reader'> & Partial<Pick<WaitRequest, 'reader'>>,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  return waitUntilReady({ reader: siteReader(url, provideToken, route), ...how }, signal)
}

/** A wait for a site, unless `--timeout` sets another time. */
export const defaultTimeoutMs = 3 * 3_600_000

/**
 * A site during a wait, unless `--poll-interval` sets another time. A site on this machine is an emulator with short stages.
 */
const pollMs = { loopback: 200, other: 5000 } as const

export function defaultPollMs(url: string): number {
  return pollMs[isLoopback(new URL(url).hostname) ? 'loopback' : 'other']
}
