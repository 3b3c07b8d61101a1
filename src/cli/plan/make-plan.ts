import { confirmPlan, type MadePlan, makePlan } from '../../library/make-plan.js'
import type { GatherProblem, ObstacleProblem, StalePlan } from '../../library/problem.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Session } from '../site/session.js'
import type { Failure } from '../terminal/output.js'
import { obstacleFailure, staleFailure } from './plan-refusals.js'
import { gatherFailure, type PlanOptions } from './situation.js'

export type Made = Result<MadePlan, Failure>

/** Plans for the site of a session. Only ever reads. */
export async function planSession(session: Session, host: Host, options: PlanOptions): Promise<Made> {
  return said(session, await makePlan(session, { clock: host.clock, client: session.reader }, options))
}

/** Makes sure that a saved plan still holds for the site of a session. Only ever reads. */
export async function confirmSaved(
  session: Session,
  host: Host,
  asked: { readonly saved: SavedPlan; readonly signal: AbortSignal },
): Promise<Made> {
  return said(session, await confirmPlan(session, { clock: host.clock, client: session.reader }, asked))
}

async function said(
  session: Session,
  made: Result<MadePlan, GatherProblem | ObstacleProblem | StalePlan>,
): Promise<Made> {
  return made.ok ? made : { ok: false, error: await planFailure(session, made.error) }
}

async function planFailure(
  session: Session,
  problem: GatherProblem | ObstacleProblem | StalePlan,
): Promise<Failure> {
  const { commands } = session
  switch (problem.kind) {
    case 'obstacle':
      return { ...obstacleFailure(problem.obstacle, commands), diagnostics: problem.diagnostics }
    case 'stale':
      return staleFailure(
        problem.moved,
        commands.plan,
        problem.isUnderWay
          ? `what it began is under way: wait for the run that has it, or where that is gone run \`${commands.apply}\` to take it up`
          : undefined,
      )
    default:
      return gatherFailure(session, problem)
  }
}
