import { exitCodes } from 'landform/cli'
import { classifyExitCode } from './ends.js'
import type { StepOutcome } from './workflow-state.js'

/**
 * Converts exceptions to results. An unreachable database is a failure like any other; every other exception is a bug, and
 * its text is not shown.
 */
export async function withErrorBoundary(work: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await work()
  } catch (error) {
    const { name } = error as Error
    if (name === 'DatabaseError')
      return classifyExitCode(exitCodes.state, 'the fleet database did not respond')
    const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
    return classifyExitCode(
      exitCodes.internal,
      `internal error${what}; this is a bug in Landform, please report it`,
    )
  }
}
