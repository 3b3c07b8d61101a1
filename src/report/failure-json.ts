import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { diagnosticDocument } from './findings/diagnostics-json.js'

/** Why a command could not do its work. */
export interface CommandFailure {
  readonly exitCode: number
  readonly message: string
  /** The next command to type, or what to look at. */
  readonly next?: string
  readonly diagnostics?: readonly Diagnostic[]
  /** The facts that are not as a saved plan says, each by its name. */
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
