import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FleetSession } from '../database/session.js'

/** The channel of undici that publishes just before the first byte of a request is written. */
const sendHeaders = 'undici:client:sendHeaders'

/**
 * Checks the lease before each request of this process. A suspended process resumes in the middle of its work, long before
 * its connection can report that others have taken its sites. Returns a function that removes the check.
 */
export function installGate(session: Pick<FleetSession, 'isFresh'>, stale: () => void): () => void {
  const check = () => {
    if (!session.isFresh()) stale()
  }
  subscribe(sendHeaders, check)
  return () => unsubscribe(sendHeaders, check)
}
