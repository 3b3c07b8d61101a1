import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { ExitCode } from './exit-code.js'
import { diagnosticDocument } from './findings.js'
import type { Sent } from './sent.js'

/** The reason that a command failed. */
export interface CommandFailure {
  readonly exitCode: ExitCode
  readonly message: string
  /** What the run had sent; absent from commands that change no site. */
  readonly sent?: Sent
  /** The next commands or edits, in their order. */
  readonly next?: readonly string[]
  readonly diagnostics?: readonly Diagnostic[]
  /** The facts that changed since a saved plan was made, as texts. */
  readonly moved?: readonly string[]
}

/** The machine form of a failure; its schema is `schemas/failure.schema.json`. */
export function failureDocument({
  exitCode,
  message,
  sent,
  next = [],
  diagnostics = [],
  moved,
}: CommandFailure) {
  return {
    formatVersion: 1,
    error: {
      exitCode,
      message,
      ...(sent !== undefined && { sent }),
      ...(next.length > 0 && { next: next.join('\n') }),
      diagnostics: diagnostics.map(diagnosticDocument),
      ...(moved !== undefined && { moved }),
    },
  } as const
}
