import { listBlockingEdits } from '../plan/plan.js'
import type { Result } from '../result.js'
import { confirmPlan, defaultLifetimeMs, makePlan } from './make-plan.js'
import { openSite, type SitePorts, type SiteRequest } from './open-site.js'
import { findMissingPermission, forgetsItsState } from './plan-permission.js'
import type { SiteProblem } from './problem.js'
import type { MadePlan, Site } from './site.js'
import { systemClock } from './system-ports.js'

/** A plan that `applySite` performs, with its site. The plan is plain data: it can be stored, compared and shown. */
export interface PlannedSite extends MadePlan {
  /** The ID of a saved plan, which is performed at most once. */
  readonly planId?: string
  readonly site: Site
  readonly ports: SitePorts
}

/** A plan, or the reason why none may be performed. */
export type PlanReply = Result<PlannedSite, SiteProblem>

/**
 * Reads a manifest with its bases and policies, the site and its state, and makes a plan. Sends only GET and the
 * sign-in request: if the site requires a token, it signs in as the manifest declares. A problem with the manifest or
 * the site is a result; an exception is a bug.
 */
export async function planSite(request: SiteRequest): Promise<PlanReply> {
  const opened = await openSite(request)
  return opened.ok ? planOpened(opened.value, request) : opened
}

/** Makes a plan for a site that is already open, as `planSite` does. */
export async function planOpened(site: Site, request: Omit<SiteRequest, 'file'>): Promise<PlanReply> {
  const { ports = {}, environment = {}, ignoreImmutable: ignored = [], saved } = request
  const refused = (problem: SiteProblem): PlanReply => ({ ok: false, error: problem })
  const { clock = systemClock, client } = ports
  const { signal = new AbortController().signal } = request
  const readPorts = { clock, client }
  const making =
    saved === undefined
      ? makePlan(site, readPorts, { ignored, lifetimeMs: defaultLifetimeMs, signal })
      : confirmPlan(site, readPorts, { saved, signal })
  const made = await making.finally(() => site.close())
  if (!made.ok) return made
  const { plan, warnings } = made.value
  const edits = listBlockingEdits(plan)
  if (edits.length > 0) return refused({ kind: 'immutable', edits, plan })
  if (request.acceptLocalState !== true && forgetsItsState(plan, site.state, environment))
    return refused({ kind: 'local-state', where: site.state.where, plan })
  const missing = findMissingPermission(plan, site, { signature: request.signature, now: clock.now() })
  if (missing !== undefined) return refused({ kind: 'not-permitted', ...missing, plan })
  return { ok: true, value: { plan, warnings, site, ports, ...(saved && { planId: saved.id }) } }
}
