import { signInTo } from '../../library/sign-in-to.js'
import type { Host } from '../host.js'
import type { Session } from './session.js'

/**
 * The session of a command that changes the site: it signs in where the manifest says so. What only looks never does,
 * for it sends nothing but GET; and a rehearsal needs no token that counts.
 */
export function signingIn(session: Session, host: Host): Session {
  const loan = session.tokenFrom === 'rehearsal' ? undefined : signInTo(session, host.clock)
  if (loan === undefined) return session
  return {
    ...session,
    lendToken: loan.lend,
    tokenFrom: 'sign-in',
    async close() {
      loan.close()
      await session.close()
    },
  }
}
