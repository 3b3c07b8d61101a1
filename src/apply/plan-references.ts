import type { Action, Plan } from '../plan/plan.js'
import {
  listConfigureReferences,
  listUpdateReferences,
  type NeededReference,
  type NeededSecret,
} from '../secrets/needed-references.js'

/** Lists the references that the actions of a plan need, and the secrets for signing in if an update needs a token. */
export function listPlanReferences(
  { actions }: Pick<Plan, 'actions'>,
  signInReferences: readonly NeededSecret[] = [],
): { readonly own: readonly NeededReference[]; readonly signIn: readonly NeededSecret[] } {
  const updates = actions.some(({ change }) => change === 'update')
  return { own: actions.flatMap(listReferences), signIn: updates ? signInReferences : [] }
}

function listReferences(action: Action): readonly NeededReference[] {
  if (action.change === 'create') return listConfigureReferences(action.organization)
  if (action.change === 'update') return listUpdateReferences(action.token)
  return []
}
