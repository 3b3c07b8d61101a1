import { exitCodes } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'
import { isUsageError } from '../usage-error.js'

/** Does work for one site; a defect that shows in it is an answer about this site, and no end of the others. */
export async function contained<R>(
  work: () => Promise<R>,
  failed: (failure: Failure) => R | Promise<R>,
): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (isUsageError(error)) throw error
    // Not its message, which could quote what must not be shown.
    const message = `internal error (${(error as Error).name}); this is a defect of Landform, please report it`
    return failed({ exitCode: exitCodes.internal, message })
  }
}
