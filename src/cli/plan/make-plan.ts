import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Plan } from '../../plan/plan.js'
import { bindingsOf, type Planned, plan } from '../../plan/planner.js'
import { deadFacts, isSamePlan, type SavedPlan, staleFacts } from '../../plan/saved/saved-plan.js'
import type { Situation } from '../../plan/situation.js'
import { isPending } from '../../plan/submission.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Session } from '../site/session.js'
import type { Failure } from '../terminal/output.js'
import { obstacleFailure, staleFailure } from './plan-refusals.js'
import { defaultLifetimeMs, gather, type PlanOptions } from './situation.js'

export type Made = Result<{ readonly plan: Plan; readonly warnings: readonly Diagnostic[] }, Failure>

/** Gathers what there is, and plans. Only ever reads. */
export async function makePlan(session: Session, host: Host, options: PlanOptions): Promise<Made> {
  const gathered = await gather(session, host, options)
  if (!gathered.ok) return gathered
  return madeOf(session, plan(gathered.value))
}

/**
 * Makes sure that a saved plan is still what the manifest and the site lead to, and gives back the saved one: what is
 * performed is what was reviewed. Only ever reads.
 */
export async function confirmPlan(
  session: Session,
  host: Host,
  { saved, signal }: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Made> {
  // Another site is not even looked at, nor is a plan that nobody may use any more a reason to.
  const stale = (facts: readonly string[], next?: string): Made => ({
    ok: false,
    error: staleFailure(facts, session.commands.plan, next),
  })
  const dead = deadFacts(saved, { url: session.url, now: host.clock.now() })
  if (dead.length > 0) return stale(dead)
  const ignored = saved.plan.immutable.filter(edit => edit.ignored).map(({ pointer }) => pointer)
  const gathered = await gather(session, host, { ignored, lifetimeMs: defaultLifetimeMs, signal })
  if (!gathered.ok) return gathered
  const { value: situation } = gathered
  const moved = staleFacts(saved, { ...situation, binds: bindingsOf(situation) })
  if (moved.length > 0) return stale(moved, goingOn(saved, situation, session))
  const made = madeOf(session, plan(situation))
  if (!made.ok) return made
  return isSamePlan(saved, made.value.plan)
    ? { ok: true, value: { ...made.value, plan: saved.plan } }
    : stale(['the plan itself: the manifest and the site do not lead to what it says'])
}

/**
 * What to do where a run used the plan and what it began is not at its end; nothing elsewhere. There is no other
 * plan to review: what is under way is what was reviewed.
 */
function goingOn(
  { id }: SavedPlan,
  { record, submission }: Situation,
  { commands }: Session,
): string | undefined {
  const isUnderWay = submission !== undefined && (isPending(submission) || submission.state === 'begun')
  if (record.plan?.id !== id || !isUnderWay) return undefined
  return `what it began is under way: wait for the run that has it, or where that is gone run \`${commands.apply}\` to take it up`
}

function madeOf(session: Session, planned: Planned): Made {
  const warnings = [...session.warnings, ...planned.diagnostics]
  return planned.ok
    ? { ok: true, value: { plan: planned.value, warnings } }
    : {
        ok: false,
        error: { ...obstacleFailure(planned.error, session.commands), diagnostics: warnings },
      }
}
