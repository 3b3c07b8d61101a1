import type { Reply } from '../client/failure.js'
import type { SiteReader } from '../client/site-client.js'
import type { Observation } from '../plan/observation.js'

/**
 * What a site is, to plan by. A failed one ends the run, and one node may say so while it starts or stops, so that it is
 * looked at once more over another connection; then the second look counts.
 */
export async function observeToPlan(
  reader: Pick<SiteReader, 'observe'>,
  signal: AbortSignal,
): Promise<Reply<Observation>> {
  const looked = await reader.observe(signal)
  return looked.ok && looked.value.kind === 'failed' ? reader.observe(signal) : looked
}
