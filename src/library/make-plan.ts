import { bindingsOf, plan as planFrom } from '../plan/planner.js'
import { deadFacts, isSamePlan, type SavedPlan, staleFacts } from '../plan/saved/saved-plan.js'
import type { Situation } from '../plan/situation.js'
import { isPending } from '../plan/submission.js'
import type { Result } from '../result.js'
import type { GatherProblem, ObstacleProblem, StalePlan } from './problem.js'
import type { Eyes, MadePlan, PlanOptions, Site } from './site.js'
import { defaultLifetimeMs, situationOf } from './situation.js'

/** Plans for a site as it is found, whatever then stands in the way of performing the plan. Only ever reads. */
export async function makePlan(
  site: Site,
  eyes: Eyes,
  options: PlanOptions,
): Promise<Result<MadePlan, GatherProblem | ObstacleProblem>> {
  const gathered = await situationOf(site, eyes, options)
  return gathered.ok ? planned(site, gathered.value) : gathered
}

/**
 * Makes sure that a saved plan is still what its manifest and its site lead to, and gives back the saved one: what is performed
 * is what was reviewed. What may move until the site is taken is compared once more then. Only ever reads.
 */
export async function confirmPlan(
  site: Site,
  eyes: Eyes,
  { saved, signal }: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Result<MadePlan, GatherProblem | ObstacleProblem | StalePlan>> {
  const stale = (moved: readonly string[], isUnderWay = false): Result<never, StalePlan> => ({
    ok: false,
    error: { kind: 'stale', moved, isUnderWay },
  })
  // Another site is not even looked at, nor is a plan that nobody may use any more a reason to.
  const dead = deadFacts(saved, { url: site.url, now: eyes.clock.now() })
  if (dead.length > 0) return stale(dead)
  const ignored = saved.plan.immutable.filter(edit => edit.ignored).map(({ pointer }) => pointer)
  const gathered = await situationOf(site, eyes, { ignored, lifetimeMs: defaultLifetimeMs, signal })
  if (!gathered.ok) return gathered
  const { value: situation } = gathered
  const moved = staleFacts(saved, { ...situation, binds: bindingsOf(situation) })
  if (moved.length > 0) return stale(moved, isUnderWay(saved, situation))
  const made = planned(site, situation)
  if (!made.ok) return made
  return isSamePlan(saved, made.value.plan)
    ? { ok: true, value: { ...made.value, plan: saved.plan } }
    : stale(['the plan itself: the manifest and the site do not lead to what it says'])
}

/** True where a run used the plan, and what it began is not at its end. */
function isUnderWay({ id }: SavedPlan, { record, submission }: Situation): boolean {
  if (record.plan?.id !== id || submission === undefined) return false
  return isPending(submission) || submission.state === 'begun'
}

function planned(site: Site, situation: Situation): Result<MadePlan, ObstacleProblem> {
  const found = planFrom(situation)
  const warnings = [...site.warnings, ...found.diagnostics]
  return found.ok
    ? { ok: true, value: { plan: found.value, warnings } }
    : { ok: false, error: { kind: 'obstacle', obstacle: found.error, diagnostics: warnings } }
}
