import { blockingEdits, hasChanges, type Plan, summaryOf } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'

/** What later steps of a GitHub workflow can ask of a plan, as lines `name=value`. No text of others is among them. */
export function planOutputs(plan: Plan, exitCode: number): string {
  const { create, update, attach, noOp } = summaryOf(plan)
  const outputs = {
    changes: hasChanges(plan),
    blocked: blockingEdits(plan).length > 0,
    create,
    update,
    attach,
    'no-op': noOp,
    'plan-id': planDocument(plan).id,
    exitcode: exitCode,
  }
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
