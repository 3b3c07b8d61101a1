import { forgetsItsState } from '../../library/forgets-its-state.js'
import type { Plan } from '../../plan/plan.js'
import { describeProblem } from '../../report/problem-text.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { blockedFailure } from '../plan/plan-refusals.js'
import type { Failure } from '../terminal/output.js'
import type { Session } from './session.js'

/** Why a CI system may not create a site with state on its own disk; nothing where it may. */
export function localStateFailure(
  plan: Plan,
  { state }: Pick<Session, 'state'>,
  { environment }: Pick<Host, 'environment'>,
): Failure | undefined {
  if (!forgetsItsState(plan, state, environment)) return undefined
  return {
    exitCode: exitCodes.refused,
    message: describeProblem({ kind: 'local-state', where: state.where, plan }),
    next: 'keep state where every run sees it, `state: git:origin` in the manifest; where this disk lasts, add --accept-local-state',
  }
}

interface Vetoing {
  readonly argv: { readonly 'accept-local-state': boolean }
  readonly host: Pick<Host, 'environment'>
}

/** Why nobody's yes is enough to perform a plan; nothing where one is. */
export function vetoOf(
  plan: Plan,
  session: Pick<Session, 'state'>,
  { argv, host }: Vetoing,
): Failure | undefined {
  const blocked = blockedFailure(plan)
  if (blocked !== undefined || argv['accept-local-state']) return blocked
  return localStateFailure(plan, session, host)
}
