import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Found } from './course.js'
import { endOfCode } from './ends.js'

/** A database that is away is trouble like any other, and every other exception a defect: its text is shown nowhere. */
export async function contained(work: () => Promise<Found>): Promise<Found> {
  try {
    return await work()
  } catch (error) {
    const { name } = error as Error
    if (name === 'DatabaseError')
      return endOfCode(exitCodes.state, 'the database of the fleet did not answer')
    const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
    return endOfCode(
      exitCodes.internal,
      `internal error${what}; this is a defect of Landform, please report it`,
    )
  }
}
