import { accountOf } from '../client/sign-in.js'
import { createSignInProvider, type SignInContext, type SignInProvider } from '../client/sign-in-provider.js'
import type { Site } from './site.js'

/** A loan that signs in to a site where its manifest says so; for what changes the site, since it sends more than GET. */
export function signInTo(site: Site, clock: SignInContext['clock']): SignInProvider | undefined {
  const { manifest, url, route, secrets, provideToken: named } = site
  const account = accountOf(manifest)
  return account && createSignInProvider({ url, route, account, secrets, clock, named })
}
