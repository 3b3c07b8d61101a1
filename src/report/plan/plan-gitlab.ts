import { type Plan, summarizePlan } from '../../plan/plan.js'

/**
 * Builds the counts that GitLab shows in a merge request as the report `terraform`: it requires these three keys and
 * reads no other (lib/gitlab/ci/parsers/terraform/tfplan.rb). A plan deletes nothing.
 */
export function buildGitlabCounts(plan: Plan) {
  const { create, update } = summarizePlan(plan)
  return { create, update, delete: 0 } as const
}
