import { accountOf } from '../client/sign-in.js'
import { type SignInDesk, type SignInLoan, signInLoan } from '../client/sign-in-loan.js'
import type { Site } from './site.js'

/** A loan that signs in to a site where its manifest says so; for what changes the site, since it sends more than GET. */
export function signInTo(site: Site, clock: SignInDesk['clock']): SignInLoan | undefined {
  const { manifest, url, route, secrets, lendToken: named } = site
  const account = accountOf(manifest)
  return account && signInLoan({ url, route, account, secrets, clock, named })
}
