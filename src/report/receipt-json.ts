import type { Receipt } from '../apply/outcome.js'
import type { Plan } from '../plan/plan.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'
import { describeEnding } from './outcome-text.js'

/** The machine form of a receipt; its schema is `schemas/receipt.schema.json`. */
export function receiptDocument(plan: Plan, receipt: Receipt, details: { next: string; exitCode: number }) {
  const { outcome, startedAt, finishedAt } = receipt
  const { next, exitCode } = details
  return {
    formatVersion: 1,
    outcome: outcome.kind,
    exitCode,
    message: describeEnding(outcome, plan),
    ...(next !== '' && { next }),
    startedAt,
    finishedAt,
    diagnostics: outcome.kind === 'references' ? outcome.diagnostics.map(diagnosticDocument) : [],
    plan: buildPlanDocument(plan),
  } as const
}
