import { DBOS, DBOSWorkflowConflictError, Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import type { WorkflowSteps } from '../workflow/run-ports.js'

/** Creates the steps of all workflows in this process, and a way to stop between two of them. */
export function createDurableSteps() {
  const open = new Set<Promise<void>>()
  let isLeaving = false
  const body = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isLeaving) return never()
    const result = work()
    const ended = result.then(nothing, nothing)
    open.add(ended)
    try {
      const value = await result
      return isLeaving ? never() : value
    } catch (error) {
      if (isLeaving) return never()
      throw removeText(error)
    } finally {
      open.delete(ended)
    }
  }
  const run: WorkflowSteps['run'] = async (name, work) => {
    if (isLeaving) return never()
    try {
      return await DBOS.runStep(() => body(work), { name })
    } catch (error) {
      // An error of the engine after its shutdown is no failure of the step.
      if (isLeaving && !isEngineError(error)) return never()
      throw error
    }
  }
  const steps: WorkflowSteps = {
    run,
    async sleep(milliseconds, signal) {
      const until = await run('sleep', async () => Date.now() + milliseconds)
      await sleepUntil(until, signal)
    },
  }
  return {
    steps,
    /** True after `settle` was called: later results are discarded, and the process that takes over the work repeats them. */
    hasLeft: () => isLeaving,
    async settle(waitMs: number): Promise<void> {
      isLeaving = true
      const timer = new AbortController()
      await Promise.race([Promise.all(open), sleepUntil(Date.now() + waitMs, timer.signal)])
      timer.abort()
    },
    /** Resolves when no step is running. */
    async idle(): Promise<void> {
      await Promise.all(open)
    },
  }
}

const nothing = () => undefined

/** Never ends, so that the engine cannot record a result or an error. */
export const never = () => new Promise<never>(nothing)

function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.max(0, time - Date.now()))
    signal.addEventListener('abort', wake)
  })
}

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
  return error instanceof DBOSWorkflowConflictError || wasWithdrawn(error)
}
