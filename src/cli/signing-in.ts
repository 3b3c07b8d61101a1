import { accountOf } from '../client/sign-in.js'
import { signInLoan } from '../client/sign-in-loan.js'
import type { Host } from './host.js'
import type { Session } from './session.js'

/**
 * The session of a command that changes the site: it signs in where the manifest says so. What only looks never does,
 * for it sends nothing but GET; and a rehearsal needs no token that counts.
 */
export function signingIn(session: Session, host: Host): Session {
  const { url, route, manifest, secrets, lendToken: named, tokenFrom } = session
  const account = accountOf(manifest)
  if (account === undefined || tokenFrom === 'rehearsal') return session
  const loan = signInLoan({ url, route, account, secrets, clock: host.clock, named })
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
