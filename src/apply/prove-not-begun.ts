import type { SiteReader } from '../client/site-reader.js'
import type { Clock } from './ports.js'

/** One answer may come from a node that is behind, and a configuration shows late. */
const looks = 4
const betweenMs = 20_000
/** How long the looks take, without the answers. */
export const notBegunMs = (looks - 1) * betweenMs

/**
 * True where the site says on each of several looks, over a minute, that no configuration has begun. No proof by itself:
 * what is still under way does not show.
 */
export async function isNotBegun(
  { client, clock }: { readonly client: Pick<SiteReader, 'observe'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<boolean> {
  for (let look = 1; look <= looks; look += 1) {
    const seen = await client.observe(signal)
    if (signal.aborted || !seen.ok || seen.value.kind !== 'not-configured') return false
    if (look < looks) await clock.sleep(betweenMs, signal)
  }
  return !signal.aborted
}
