import { exitCodes } from 'landform/cli'
import type { Order } from '../model/run.js'
import { computePause } from './retries.js'
import type { StepAnswer, StepOutcome, WorkflowState } from './workflow-state.js'

interface DecisionContext {
  readonly order: Pick<Order, 'timeoutMs'>
  readonly now: number
}

/** Decides what follows a step: the next phase, a retry after a pause, or the end once retries are exhausted. */
export function decideStep(
  found: StepOutcome,
  current: WorkflowState,
  { order, now }: DecisionContext,
): StepAnswer {
  if (found.kind === 'next') return found
  const { end, summary } = found
  if (found.kind === 'end') return { kind: 'ended', end }
  const { tries, startedAt = now } = current
  const leftMs = order.timeoutMs - (now - startedAt)
  const isLocked = end.exitCode === exitCodes.locked
  const pauseMs = computePause({ tries, isLocked, leftMs })
  if (pauseMs !== undefined) return { kind: 'again', why: summary, pauseMs }
  const times = tries === 0 ? '' : ` (tried ${tries + 1} times)`
  return { kind: 'ended', end: { ...end, message: `${end.message}${times}` } }
}
