import { blockingEdits, hasChanges, type Plan, summaryOf } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'

/** Formats the outputs of a plan for later steps of a GitHub workflow, as lines `name=value`, without untrusted text. */
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
