import type { ApplyEvent } from '../apply/event.js'
import type { WaitEnd } from '../apply/outcome.js'
import { type Waiting, waitUntilReady } from '../apply/wait-until-ready.js'
import { siteReader } from '../client/site-reader.js'
import type { Site } from './site.js'

/** Follows a configuration under way to its end. Sends nothing but GET, and writes nothing down. */
export function followSite(
  { url, route, lendToken }: Pick<Site, 'url' | 'route' | 'lendToken'>,
  how: Omit<Waiting, 'reader'> & Partial<Pick<Waiting, 'reader'>>,
  signal: AbortSignal,
): AsyncGenerator<ApplyEvent, WaitEnd> {
  return waitUntilReady({ reader: siteReader(url, lendToken, route), ...how }, signal)
}
