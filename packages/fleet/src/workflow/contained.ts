import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Found } from './course.js'
import { endOfCode } from './ends.js'

/**
 * Converts exceptions to results. An unreachable database is a failure like any other; every other exception is a bug, and
 * its text is not shown.
 */
export async function contained(work: () => Promise<Found>): Promise<Found> {
  try {
    return await work()
  } catch (error) {
    const { name } = error as Error
    if (name === 'DatabaseError') return endOfCode(exitCodes.state, 'the fleet database did not respond')
    const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
    return endOfCode(exitCodes.internal, `internal error${what}; this is a bug in Landform, please report it`)
  }
}
