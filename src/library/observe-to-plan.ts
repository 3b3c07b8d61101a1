import type { Reply } from '../client/failure.js'
import type { SiteReader } from '../client/site-client.js'
import type { Observation } from '../plan/observation.js'

/**
 * Observes a site for a plan. A failed site ends the run, but a single node may report failure while it starts or
 * stops, so the site is then observed once more over another connection, and the second result counts.
 */
export async function observeToPlan(
  reader: Pick<SiteReader, 'observe'>,
  signal: AbortSignal,
): Promise<Reply<Observation>> {
  const polled = await reader.observe(signal)
  return polled.ok && polled.value.kind === 'failed' ? reader.observe(signal) : polled
}
