import type { ApplyEvent } from '../apply/event.js'
import type { WaitEnd } from '../apply/outcome.js'
import { type WaitRequest, waitUntilReady } from '../apply/wait-until-ready.js'
import { siteReader } from '../client/site-reader.js'
import type { Site } from './site.js'

/** Follows a configuration under way to its end. Sends nothing but GET, and writes nothing down. */
export function followSite(
  { url, route, provideToken }: Pick<Site, 'url' | 'route' | 'provideToken'>,
  how: Omit<WaitRequest, 'reader'> & Partial<Pick<WaitRequest, 'reader'>>,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  return waitUntilReady({ reader: siteReader(url, provideToken, route), ...how }, signal)
}
