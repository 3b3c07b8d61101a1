import { digestOf } from '../canonical.js'
import { settledBy } from '../fields/lifetime.js'
import { coverageOf } from '../fields/verdict.js'
import { type Plan, summaryOf } from '../plan.js'

/**
 * The machine form of a plan, which is also what is saved; its schema is `schemas/plan.schema.json`. It holds the whole
 * plan: `id` is the digest of all the rest; previews of a cluster, which may stand beside it, count for nothing.
 */
export function planDocument(plan: Plan) {
  const content = {
    ...plan,
    formatVersion: 1,
    settles: settledBy(plan),
    actions: plan.actions.map(action => ({ irreversible: false, fields: [], ...action })),
    coverage: coverageOf(plan.fields),
    summary: summaryOf(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestOf(content), ...rest }
}

export type PlanDocument = ReturnType<typeof planDocument>
