import { digestCanonical } from '../canonical.js'
import { countCoverage } from '../fields/field-status.js'
import { listImmutableParts } from '../fields/lifetime.js'
import { type Plan, summarizePlan } from '../plan.js'

/** The format of saved plans. In format 1 an action was `attach` where it is `resume` now. */
export const planFormat = 2

/**
 * Builds the machine form of a plan, which is also the saved form; its schema is `schemas/plan.schema.json`. It holds
 * the whole plan: `id` is the digest of everything else, except for previews of a cluster that a file may also hold.
 */
export function buildPlanDocument(plan: Plan) {
  const content = {
    ...plan,
    formatVersion: planFormat,
    settles: listImmutableParts(plan),
    actions: plan.actions.map(action => ({ irreversible: false, fields: [], ...action })),
    coverage: countCoverage(plan.fields),
    summary: summarizePlan(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestCanonical(content), ...rest }
}

export type PlanDocument = ReturnType<typeof buildPlanDocument>
