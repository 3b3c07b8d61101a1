import { apply } from '../apply/apply.js'
import type { Clock } from '../apply/clock.js'
import type { ApplyEvent } from '../apply/generated/event.js'
import type { Receipt } from '../apply/outcome.js'
import type { ApplyOptions } from '../apply/ports.js'
import type { SiteWriter } from '../client/site-client.js'
import { siteWriter } from '../client/site-writer.js'
import type { Plan } from '../plan/plan.js'
import { listSiteSignIn, type Site } from './site.js'
import { nonce } from './system-ports.js'

/** The clock, the random numbers and the client with which a plan is performed. */
interface ApplyPorts {
  readonly clock: Clock
  /** Returns a number from 0 to 1, to spread polls. */
  random(): number
  /** Replaces the client for the address of the site. */
  readonly client?: SiteWriter | undefined
}

/** Performs a plan on its site, and enforces what its policies require of the license. */
export function performPlan(
  plan: Plan,
  { site, applyPorts }: { readonly site: Site; readonly applyPorts: ApplyPorts },
  options: ApplyOptions,
): AsyncGenerator<ApplyEvent, Receipt> {
  const { url, route, secrets, provideToken, state, policies } = site
  const { clock, random, client = siteWriter(url, provideToken, route) } = applyPorts
  const requireListedUserType = policies.some(({ plans }) => plans?.licenseListsUserType === true)
  const signInReferences = listSiteSignIn(site)
  return apply(
    plan,
    { client, secrets, provideToken, signInReferences, state, clock, random, nonce },
    { ...options, requireListedUserType },
  )
}
