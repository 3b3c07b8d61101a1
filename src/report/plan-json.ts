import { digestOf } from '../plan/canonical.js'
import { type Action, type Plan, summaryOf } from '../plan/plan.js'

/** The machine form of a plan; its schema is `schemas/plan.schema.json`. `id` is the digest of all the rest. */
export function planDocument(plan: Plan) {
  const { name, url, createdAt, expiresAt, binds } = plan
  const content = {
    formatVersion: 1,
    name,
    url,
    createdAt,
    expiresAt,
    binds,
    actions: plan.actions.map(actionDocument),
    summary: summaryOf(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestOf(content), ...rest }
}

function actionDocument(action: Action) {
  const { operation, change, reason } = action
  return {
    operation,
    change,
    reason,
    irreversible: action.change === 'create',
    fields: 'fields' in action ? action.fields : [],
  }
}
