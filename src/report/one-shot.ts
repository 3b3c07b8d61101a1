import type { DeleteOutcome, ExportOutcome, OneShotFailure } from '../operations/outcome.js'
import { describeFailure } from './failure-text.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'

/** Describes the failure of a one-shot operation in one sentence; `failed` starts the sentence if it was not carried out. */
export function describeOneShotFailure(outcome: OneShotFailure, operation: string, failed: string): string {
  switch (outcome.kind) {
    case 'not-taken':
      return `${failed}: ${describeFailure(outcome.failure)}`
    case 'unknown':
      return `the outcome of ${operation} is unknown: ${describeFailure(outcome.failure)}`
    case 'references':
      return 'secrets are missing or invalid; nothing was sent'
    case 'interrupted':
      return 'interrupted; nothing was sent'
    default:
      return outcome satisfies never
  }
}

/** The end of a one-shot operation, besides its outcome. */
export interface OneShotEnd {
  readonly message: string
  /** The next step, or an empty text. */
  readonly next: string
  readonly exitCode: number
  readonly startedAt: string
  readonly finishedAt: string
}

/** The members that the machine forms of both one-shot operations share. */
export function oneShotEndDocument(outcome: ExportOutcome | DeleteOutcome, ending: OneShotEnd) {
  const { message, next, exitCode, startedAt, finishedAt } = ending
  return {
    outcome: outcome.kind,
    exitCode,
    message,
    ...(next !== '' && { next }),
    startedAt,
    finishedAt,
    diagnostics: outcome.kind === 'references' ? outcome.diagnostics.map(diagnosticDocument) : [],
  } as const
}
