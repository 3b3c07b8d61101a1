import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Order } from '../model/run.js'
import type { Course } from './course.js'
import { type Ending, endOfCode, endOfOutcome } from './ends.js'

const unseen = {
  kind: 'unknown',
  operation: 'configure',
  reason: 'run-cancelled',
} as const

/** Returns the result of a cancelled run. If the outcome of a request is unknown, the run still needs an operator. */
export function cancelledAt({ phase, standing }: Course, order: Order): Ending {
  if (standing.isOpen) return endOfOutcome(unseen, order)
  const isUnderWay = phase === 'wait' || standing.begun
  const rest = isUnderWay ? 'a configuration in progress continues on the service' : 'nothing was sent'
  return endOfCode(exitCodes.interrupted, `cancelled: ${rest}`)
}
