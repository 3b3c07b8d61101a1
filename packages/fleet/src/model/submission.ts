import { hasEnded, type Order, type Run } from './run.js'

/** What is asked for a site. */
export type Asked = Pick<Order, 'digest' | 'commit' | 'priority' | 'timeoutMs'>

/** The newest run of a site before another submission. */
export interface Former extends Pick<Run, 'generation' | 'state' | keyof Asked> {
  /** It waits for a wave of a rollout that was stopped. */
  readonly isStopped: boolean
}

/**
 * What a submission makes of a site: `new`; `behind` an earlier run, which goes first; `instead` of one that was not begun,
 * for an older manifest must not come after a newer one; or the `same` as one that goes on, so that nothing is added.
 */
export type Standing = 'new' | 'behind' | 'instead' | 'same'

/** How an order stands to the newest run of its site. What is queued keeps its priority and its time. */
export function standingOf(former: Former | undefined, order: Asked): Standing {
  if (former === undefined || hasEnded(former.state)) return 'new'
  if (former.isStopped) return 'instead'
  const isSameContent = former.digest === order.digest && former.commit === order.commit
  if (former.state !== 'waiting') return isSameContent ? 'same' : 'behind'
  const isSame = isSameContent && former.priority === order.priority && former.timeoutMs === order.timeoutMs
  return isSame ? 'same' : 'instead'
}
