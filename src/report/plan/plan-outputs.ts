import { hasChanges, listBlockingEdits, type Plan, summarizePlan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'

/** Formats the outputs of a plan for later steps of a GitHub workflow, as lines `name=value`, without untrusted text. */
export function formatPlanOutputs(plan: Plan, exitCode: number): string {
  const { create, update, resume, noOp } = summarizePlan(plan)
  const outputs = {
    changes: hasChanges(plan),
    blocked: listBlockingEdits(plan).length > 0,
    create,
    update,
    resume,
    'no-op': noOp,
    'plan-id': buildPlanDocument(plan).id,
    exitcode: exitCode,
  }
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/**
 * Builds the counts that GitLab shows in a merge request as the report `terraform`: it requires these three keys and
 * reads no other (lib/gitlab/ci/parsers/terraform/tfplan.rb). A plan deletes nothing.
 */
export function buildGitlabCounts(plan: Plan) {
  const { create, update } = summarizePlan(plan)
  return { create, update, delete: 0 } as const
}
