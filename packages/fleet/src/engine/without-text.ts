import { DBOSWorkflowConflictError, Error as EngineErrors } from '@dbos-inc/dbos-sdk'

/**
 * An error that the engine may keep: it writes errors with all that is on them, and one of a client may hold what was sent.
 * Of another error only its code is left, where it is one of PostgreSQL or of the system.
 */
export function withoutText(error: unknown): Error {
  if (isOfEngine(error)) return error
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  const isCode = typeof code === 'string' && /^[A-Z0-9_]{5,40}$/.test(code)
  const kept = new Error(isCode ? `a step failed: ${code}` : 'a step failed')
  delete kept.stack
  return isCode ? Object.assign(kept, { code }) : kept
}

/** True where the engine was told to end the workflow. */
export function wasWithdrawn(error: unknown): boolean {
  return error instanceof EngineErrors.DBOSWorkflowCancelledError
}

/** True for what the engine throws through a workflow to end it, because it was cancelled or another process has it. */
export function isOfEngine(error: unknown): error is Error {
  return (
    error instanceof DBOSWorkflowConflictError || error instanceof EngineErrors.DBOSWorkflowCancelledError
  )
}
