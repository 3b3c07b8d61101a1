import { exitCodes } from 'landform/cli'
import type { Order } from '../model/run.js'
import { classifyExitCode, classifyOutcome, type RunEnding } from './ends.js'
import type { WorkflowState } from './workflow-state.js'

const neverObserved = {
  kind: 'unknown',
  operation: 'configure',
  reason: 'run-cancelled',
} as const

/** Returns the result of a cancelled run. If the outcome of a request is unknown, the run still needs an operator. */
export function endCancelledRun({ phase, standing }: WorkflowState, order: Order): RunEnding {
  if (standing.isOpen) return classifyOutcome(neverObserved, order)
  const isUnderWay = phase === 'wait' || standing.begun
  const rest = isUnderWay ? 'a configuration in progress continues on the service' : 'nothing was sent'
  return classifyExitCode(exitCodes.interrupted, `cancelled: ${rest}`)
}
