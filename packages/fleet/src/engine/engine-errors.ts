import { DBOSWorkflowConflictError, Error as EngineErrors } from '@dbos-inc/dbos-sdk'

/**
 * Reduces an error to one that the engine may store: it stores errors with all their properties, and one of a client may
 * hold a request. Of a foreign error only the code is kept, if it is one of PostgreSQL or of the system.
 */
export function removeText(error: unknown): Error {
  if (isEngineError(error)) return error
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  const isCode = typeof code === 'string' && /^[A-Z0-9_]{5,40}$/.test(code)
  const kept = new Error(isCode ? `a step failed: ${code}` : 'a step failed')
  delete kept.stack
  return isCode ? Object.assign(kept, { code }) : kept
}

/** True if the engine was asked to end the workflow. */
export function wasWithdrawn(error: unknown): boolean {
  return error instanceof EngineErrors.DBOSWorkflowCancelledError
}

/** True for an exception that ends a workflow, because it was cancelled or another process has it. */
export function isEngineError(error: unknown): error is Error {
  return (
    error instanceof DBOSWorkflowConflictError || error instanceof EngineErrors.DBOSWorkflowCancelledError
  )
}
