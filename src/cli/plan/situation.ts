import type { GatherProblem } from '../../library/problem.js'
import { defaultLifetimeMs, type PlanOptions, situationOf } from '../../library/situation.js'
import type { Situation } from '../../plan/situation.js'
import type { Result } from '../../result.js'
import { type Content, contentOf } from '../../state/site-state.js'
import type { Host } from '../host.js'
import { unseenFailure } from '../site/observe.js'
import { referencesFailure, type Session } from '../site/session.js'
import { stateFailureOf } from '../site/state-failure.js'
import type { Failure } from '../terminal/output.js'

export { defaultLifetimeMs, type PlanOptions }

export type Gathered = Result<Situation, Failure>

/** Gathers everything that a plan is made from. Only ever reads. */
export async function gather(session: Session, host: Host, options: PlanOptions): Promise<Gathered> {
  const gathered = await situationOf(session, { clock: host.clock, client: session.reader }, options)
  return gathered.ok ? gathered : { ok: false, error: await gatherFailure(session, gathered.error) }
}

/** Why there is nothing to plan with, and what to do. */
export async function gatherFailure(session: Session, problem: GatherProblem): Promise<Failure> {
  switch (problem.kind) {
    case 'references':
      return referencesFailure(problem.diagnostics)
    case 'look':
      return unseenFailure(session, problem.failure)
    case 'state':
      return stateFailureOf(problem.failure)
    default:
      return problem satisfies never
  }
}

/** What is kept about a site, or why that cannot be read. */
export async function readState({ state }: Pick<Session, 'state'>): Promise<Result<Content, Failure>> {
  const newest = await state.read()
  if (newest.ok) return { ok: true, value: contentOf(newest.value) }
  return { ok: false, error: stateFailureOf(newest.error) }
}
