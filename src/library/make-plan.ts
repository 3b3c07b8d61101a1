import { buildBindings, plan as planFrom } from '../plan/planner.js'
import { deadFacts, isSamePlan, type SavedPlan, staleFacts } from '../plan/saved/saved-plan.js'
import type { StaleFact } from '../plan/saved/stale-fact.js'
import type { Situation } from '../plan/situation.js'
import { isPending } from '../plan/submission.js'
import type { Result } from '../result.js'
import type { BlockerProblem, GatherProblem, StalePlan } from './problem.js'
import type { MadePlan, PlanOptions, ReadPorts, Site } from './site.js'
import { defaultLifetimeMs, readSituation } from './situation.js'

/** Makes a plan for the observed site, even one that cannot be applied. Only reads. */
export async function makePlan(
  site: Site,
  readPorts: ReadPorts,
  options: PlanOptions,
): Promise<Result<MadePlan, GatherProblem | BlockerProblem>> {
  const collected = await readSituation(site, readPorts, options)
  return collected.ok ? planSituation(site, collected.value) : collected
}

/**
 * Verifies that the manifest and the site still lead to a saved plan, and returns the saved one: the plan that was
 * reviewed is the plan that is applied. Facts that may change until the site is locked are compared again then. Only
 * reads.
 */
export async function confirmPlan(
  site: Site,
  readPorts: ReadPorts,
  { saved, signal }: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Result<MadePlan, GatherProblem | BlockerProblem | StalePlan>> {
  const stale = (moved: readonly StaleFact[], isUnderWay = false): Result<never, StalePlan> => ({
    ok: false,
    error: { kind: 'stale', moved, isUnderWay },
  })
  // An expired plan, or one for another site, is rejected without reading the site.
  const dead = deadFacts(saved, { url: site.url, now: readPorts.clock.now() })
  if (dead.length > 0) return stale(dead)
  const ignored = saved.plan.immutable.filter(edit => edit.ignored).map(({ pointer }) => pointer)
  const collected = await readSituation(site, readPorts, { ignored, lifetimeMs: defaultLifetimeMs, signal })
  if (!collected.ok) return collected
  const { value: situation } = collected
  const moved = staleFacts(saved, { ...situation, binds: buildBindings(situation) })
  if (moved.length > 0) return stale(moved, isUnderWay(saved, situation))
  const made = planSituation(site, situation)
  if (!made.ok) return made
  return isSamePlan(saved, made.value.plan)
    ? { ok: true, value: { ...made.value, plan: saved.plan } }
    : stale([{ kind: 'other-plan' }])
}

/** True where a run used the plan, and the configuration that it started has not ended. */
function isUnderWay({ id }: SavedPlan, { record, submission }: Situation): boolean {
  if (record.plan?.id !== id || submission === undefined) return false
  return isPending(submission) || submission.state === 'begun'
}

function planSituation(site: Site, situation: Situation): Result<MadePlan, BlockerProblem> {
  const found = planFrom(situation)
  const warnings = [...site.warnings, ...found.diagnostics]
  return found.ok
    ? { ok: true, value: { plan: found.value, warnings } }
    : { ok: false, error: { kind: 'obstacle', blocker: found.error, diagnostics: warnings } }
}
