import { hasEnded } from 'landform/sites'
import type { Order, Run } from './run.js'

/** The part of an order that is compared with the newest run. */
export type OrderTerms = Pick<Order, 'digest' | 'commit' | 'priority' | 'timeoutMs'>

/** The newest run of a site before another submission. */
export interface PreviousRun extends Pick<Run, 'generation' | 'state' | keyof OrderTerms> {
  /** True if it waits for a wave of a stopped rollout. */
  readonly isStopped: boolean
}

/**
 * The effect of a submission on a site: `new`; `behind` an earlier run, which goes first; `instead` of one that has not
 * started, because an older manifest must not be applied after a newer one; or the `same` as an unfinished run, so that
 * nothing is added.
 */
export type SubmissionEffect = 'new' | 'behind' | 'instead' | 'same'

/** Compares an order with the newest run of its site. A queued run keeps its priority and its time limit. */
export function decideEffect(former: PreviousRun | undefined, order: OrderTerms): SubmissionEffect {
  if (former === undefined || hasEnded(former.state)) return 'new'
  if (former.isStopped) return 'instead'
  const isSameContent = former.digest === order.digest && former.commit === order.commit
  if (former.state !== 'waiting') return isSameContent ? 'same' : 'behind'
  const isSame = isSameContent && former.priority === order.priority && former.timeoutMs === order.timeoutMs
  return isSame ? 'same' : 'instead'
}
