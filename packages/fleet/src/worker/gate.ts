import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Session } from '../database/session.js'

/** What undici tells just before it writes the first byte of a request. */
const sendHeaders = 'undici:client:sendHeaders'

/**
 * Looks at the lease before any request of this process leaves it. A process that stood still goes on in the middle of
 * whatever it did, long before the connection of its session can tell that others have its sites. Returns what ends that.
 */
export function gate(session: Pick<Session, 'isFresh'>, stale: () => void): () => void {
  const look = () => {
    if (!session.isFresh()) stale()
  }
  subscribe(sendHeaders, look)
  return () => unsubscribe(sendHeaders, look)
}
