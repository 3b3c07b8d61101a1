import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'

/** The reason for which a command failed. */
export interface CommandFailure {
  readonly exitCode: number
  readonly message: string
  /** The next commands or edits, one a line. */
  readonly next?: string
  readonly diagnostics?: readonly Diagnostic[]
  /** The facts that changed since a saved plan was made, each by its name. */
  readonly moved?: readonly string[]
}

/** The machine form of a failure; its schema is `schemas/failure.schema.json`. */
export function failureDocument({ exitCode, message, next, diagnostics = [], moved }: CommandFailure) {
  return {
    formatVersion: 1,
    error: {
      exitCode,
      message,
      ...(next !== undefined && next !== '' && { next }),
      diagnostics: diagnostics.map(diagnosticDocument),
      ...(moved !== undefined && { moved }),
    },
  } as const
}
