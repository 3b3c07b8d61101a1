import { isLoopback } from '../manifest/site-url.js'
import type { Plan } from '../plan/plan.js'
import type { StateStore } from '../state/ports.js'

/**
 * True where a CI system would create a site with state on its own disk: the disk is discarded, and with it the
 * submission intent by which the next run knows that `configure` was sent. False for an emulator, the only site that is
 * called without TLS.
 */
export function forgetsItsState(
  { url, actions }: Plan,
  { kind }: Pick<StateStore, 'kind'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const creates = actions.some(({ change }) => change === 'create')
  const { protocol, hostname } = new URL(url)
  const isEmulator = protocol === 'http:' && isLoopback(hostname)
  return environment['CI'] !== undefined && kind === 'file' && creates && !isEmulator
}
