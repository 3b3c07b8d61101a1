import type { ApplyEvent } from '../apply/generated/event.js'
import type { Receipt } from '../apply/outcome.js'
import type { ApplyOptions } from '../apply/ports.js'
import { defaultPollMs, defaultTimeoutMs } from './follow-site.js'
import { performPlan, signInTo } from './perform-plan.js'
import type { PlannedSite } from './plan-site.js'
import { systemClock } from './system-ports.js'

/** The options for performing a plan; the default is to wait for the end, for three hours at most. */
export type ApplySiteOptions = Partial<Omit<ApplyOptions, 'planId' | 'requireListedUserType'>>

/**
 * Performs a plan, and reports its progress; the last event holds the outcome, and so does the receipt that the stream
 * returns. `configure` is sent at most once in the life of a site. The signal, and leaving the loop, stop the waiting,
 * never the service.
 */
export async function* applySite(
  { plan, site, ports, planId }: PlannedSite,
  options: ApplySiteOptions = {},
): AsyncGenerator<ApplyEvent, Receipt> {
  const { clock = systemClock, random = Math.random, client, provideToken } = ports
  const isOwn = client === undefined && provideToken === undefined
  const provider = isOwn ? signInTo(site, clock) : undefined
  const applyPorts = { clock, random, client }
  try {
    return yield* performPlan(
      plan,
      { site: provider === undefined ? site : { ...site, provideToken: provider.provide }, applyPorts },
      {
        timeoutMs: defaultTimeoutMs,
        pollMs: defaultPollMs(site.url),
        detach: false,
        signal: new AbortController().signal,
        ...options,
        ...(planId !== undefined && { planId }),
      },
    )
  } finally {
    provider?.close()
  }
}
