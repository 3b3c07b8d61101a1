import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Order } from '../model/run.js'
import type { Course, Found, StepAnswer } from './course.js'
import { pauseBefore } from './retries.js'

interface Deciding {
  readonly order: Pick<Order, 'timeoutMs'>
  readonly now: number
}

/** Decides what follows a step: the next phase, a retry after a pause, or the end once retries are exhausted. */
export function decided(found: Found, current: Course, { order, now }: Deciding): StepAnswer {
  if (found.kind === 'next') return found
  const { end, said: summary } = found
  if (found.kind === 'end') return { kind: 'ended', end }
  const { tries, startedAt = now } = current
  const leftMs = order.timeoutMs - (now - startedAt)
  const isLocked = end.exitCode === exitCodes.locked
  const pauseMs = pauseBefore({ tries, isLocked, leftMs })
  if (pauseMs !== undefined) return { kind: 'again', why: summary, pauseMs }
  const times = tries === 0 ? '' : ` (tried ${tries + 1} times)`
  return { kind: 'ended', end: { ...end, message: `${end.message}${times}` } }
}
