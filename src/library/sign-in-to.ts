import { accountOf } from '../client/sign-in.js'
import { createSignInProvider, type SignInContext, type SignInProvider } from '../client/sign-in-provider.js'
import type { Site } from './site.js'

/**
 * Creates a token provider that signs in to a site, where its manifest declares an account; only for runs that change
 * the site, since signing in sends more than GET.
 */
export function signInTo(site: Site, clock: SignInContext['clock']): SignInProvider | undefined {
  const { manifest, url, route, secrets, provideToken: named } = site
  const account = accountOf(manifest)
  return account && createSignInProvider({ url, route, account, secrets, clock, named })
}
