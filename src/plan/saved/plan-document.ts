import { digestCanonical } from '../canonical.js'
import { countCoverage } from '../fields/field-status.js'
import { listImmutableParts } from '../fields/lifetime.js'
import { listOtherPaths, mergeUpgradeConfig, omitPolicy } from '../fields/live.js'
import { type Action, listFieldChanges, type Plan, summarizePlan } from '../plan.js'

/** The format of saved plans. */
export const planFormat = 1

/**
 * Builds the machine form of a plan, which is also the saved form; its schema is `schemas/plan.schema.json`. It holds
 * the whole plan: `id` is the digest of everything else, except for previews of a cluster that a file may also hold.
 * Readers find each value where they need it, so the form repeats what a `Plan` holds once.
 */
export function buildPlanDocument(plan: Plan) {
  const content = {
    ...plan,
    formatVersion: planFormat,
    settles: listImmutableParts(plan),
    actions: plan.actions.map(buildActionDocument),
    coverage: countCoverage(plan.fields),
    summary: summarizePlan(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestCanonical(content), ...rest }
}

/** Builds the machine form of an action: each field has its value, and an update has its whole body. */
function buildActionDocument(action: Action) {
  const head = { irreversible: false, fields: listFieldChanges(action) }
  if (action.change !== 'update') return { ...head, ...action, ...{ fields: head.fields } }
  const { operation, change, reason, policy, others, fields: _, ...more } = action
  const body = { upgradeConfig: mergeUpgradeConfig(policy, others), kept: listOtherPaths(others) }
  return { ...head, operation, change, reason, policy, ...body, ...more }
}

/** Restores an action from its machine form. */
export function parseActionDocument(document: ActionDocument): Action {
  switch (document.change) {
    case 'create': {
      const { fields, ...action } = document
      return { ...action, irreversible: true, fields: fields.map(({ before, after, ...source }) => source) }
    }
    case 'update': {
      const { irreversible, upgradeConfig, kept, ...action } = document
      return { ...action, others: omitPolicy(upgradeConfig) }
    }
    default: {
      const { irreversible, fields, ...action } = document
      return action
    }
  }
}

type ActionDocument = ReturnType<typeof buildActionDocument>
export type PlanDocument = ReturnType<typeof buildPlanDocument>
