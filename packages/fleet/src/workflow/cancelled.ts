import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Order } from '../model/run.js'
import type { Course } from './course.js'
import { type Ending, endOfCode, endOfOutcome } from './ends.js'

const unseen = {
  kind: 'unknown',
  operation: 'configure',
  reason: 'run-cancelled',
} as const

/** The end of a run that a person asked for. Where nobody knows what came of a request an operator is needed all the same. */
export function cancelledAt({ phase, standing }: Course, order: Order): Ending {
  if (standing.isOpen) return endOfOutcome(unseen, order)
  const isUnderWay = phase === 'wait' || standing.begun
  const rest = isUnderWay ? 'a configuration that is under way goes on by itself' : 'nothing was sent'
  return endOfCode(exitCodes.interrupted, `cancelled: ${rest}`)
}
