import { type Plan, summaryOf } from '../../plan/plan.js'

/**
 * Builds the counts that GitLab shows in a merge request as the report `terraform`: it requires these three keys and
 * reads no other (lib/gitlab/ci/parsers/terraform/tfplan.rb). A plan deletes nothing.
 */
export function planGitlab(plan: Plan) {
  const { create, update } = summaryOf(plan)
  return { create, update, delete: 0 } as const
}
