import type { DeleteOutcome, ExportOutcome } from '../operations/outcome.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'

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
