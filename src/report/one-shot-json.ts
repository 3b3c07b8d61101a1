import type { DeleteOutcome, ExportOutcome } from '../operations/outcome.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'

/** What the command knows of the end of a one-shot operation besides its outcome. */
export interface Ending {
  readonly message: string
  /** What to do next; empty where nothing is left to do. */
  readonly next: string
  readonly exitCode: number
  readonly startedAt: string
  readonly finishedAt: string
}

/** What the machine forms of both one-shot operations have in common. */
export function endingDocument(outcome: ExportOutcome | DeleteOutcome, ending: Ending) {
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
