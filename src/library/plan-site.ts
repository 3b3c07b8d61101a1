import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { blockingEdits, type Plan } from '../plan/plan.js'
import { plan as planOf } from '../plan/planner.js'
import type { Result } from '../result.js'
import { forgetsItsState } from './forgets-its-state.js'
import { openSite } from './open-site.js'
import type { SiteProblem } from './problem.js'
import type { Site } from './site.js'
import type { SitePorts, SiteRequest } from './site-request.js'
import { defaultLifetimeMs, situationOf } from './situation.js'
import { systemClock } from './system-clock.js'

/** A plan that `applySite` performs, with its site. */
export interface PlannedSite {
  /** Plain data: it can be stored, compared and shown. */
  readonly plan: Plan
  /** About the manifest, and about the site as it is. */
  readonly warnings: readonly Diagnostic[]
  readonly site: Site
  readonly ports: SitePorts
}

/** A plan, or why there is none that may be performed. */
export type PlanReply = Result<PlannedSite, SiteProblem>

/**
 * Reads a manifest with all that it builds on, looks at its site and at what is kept about it, and plans. Sends nothing but
 * GET. What is wrong with the manifest or the site is an answer; an exception is a bug.
 */
export async function planSite(request: SiteRequest): Promise<PlanReply> {
  const opened = await openSite(request)
  return opened.ok ? planOpened(opened.value, request) : opened
}

/** The same for a site that is open already. */
export async function planOpened(site: Site, request: Omit<SiteRequest, 'file'>): Promise<PlanReply> {
  const { ports = {}, environment = {}, ignoreImmutable: ignored = [] } = request
  const refused = (problem: SiteProblem): PlanReply => ({ ok: false, error: problem })
  const { clock = systemClock, client } = ports
  const { signal = new AbortController().signal } = request
  const options = { ignored, lifetimeMs: defaultLifetimeMs, signal }
  const gathered = await situationOf(site, { clock, client }, options)
  if (!gathered.ok) return gathered
  const planned = planOf(gathered.value)
  if (!planned.ok) return refused({ kind: 'obstacle', obstacle: planned.error })
  const { value: plan } = planned
  const edits = blockingEdits(plan)
  if (edits.length > 0) return refused({ kind: 'immutable', edits, plan })
  if (request.acceptLocalState !== true && forgetsItsState(plan, site.state, environment))
    return refused({ kind: 'local-state', where: site.state.where, plan })
  const warnings = [...site.warnings, ...planned.diagnostics]
  return { ok: true, value: { plan, warnings, site, ports } }
}
