import type { ApplyEvent } from '../apply/generated/event.js'
import type { Receipt } from '../apply/outcome.js'
import type { ApplyOptions } from '../apply/ports.js'
import { defaultPollMs, defaultTimeoutMs } from './follow-site.js'
import { performPlan } from './perform-plan.js'
import type { PlannedSite } from './plan-site.js'
import { systemClock } from './system-ports.js'

/** The options for performing a plan. By default, waits until the end, but at most three hours. */
export type ApplySiteOptions = Partial<Omit<ApplyOptions, 'planId' | 'requireListedUserType'>>

/**
 * Performs a plan and reports its progress. The last event holds the outcome; the stream returns the receipt, which
 * holds it too. `configure` is sent at most once in the life of a site. The signal, or leaving the loop, ends the
 * waiting; the service continues.
 */
export async function* applySite(
  { plan, site, ports, planId }: PlannedSite,
  options: ApplySiteOptions = {},
): AsyncGenerator<ApplyEvent, Receipt> {
  const { clock = systemClock, random = Math.random, client } = ports
  const common = {
    timeoutMs: defaultTimeoutMs,
    pollMs: defaultPollMs(site.url),
    detach: false,
    signal: new AbortController().signal,
  }
  try {
    return yield* performPlan(
      plan,
      { site, applyPorts: { clock, random, client } },
      { ...common, ...options, ...(planId !== undefined && { planId }) },
    )
  } finally {
    site.close()
  }
}
