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
  if (gathered.ok) return gathered
  const { error: problem } = gathered
  switch (problem.kind) {
    case 'references':
      return { ok: false, error: referencesFailure(problem.diagnostics) }
    case 'look':
      return { ok: false, error: await unseenFailure(session, problem.failure) }
    case 'state':
      return { ok: false, error: stateFailureOf(problem.failure) }
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
