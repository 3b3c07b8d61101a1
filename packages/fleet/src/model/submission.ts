import { hasEnded, type Order, type Run } from './run.js'

/** The newest run of a site before another submission. */
export interface Former extends Pick<Run, 'generation' | 'state' | 'digest' | 'commit'> {
  /** It waits for a wave of a rollout that was stopped. */
  readonly isStopped: boolean
}

/**
 * What a submission makes of a site: `new`; `behind` an earlier run, which goes first; `instead` of one that was not begun,
 * for an older manifest must not come after a newer one; or the `same` as one that goes on, so that nothing is added.
 */
export type Standing = 'new' | 'behind' | 'instead' | 'same'

/** How an order stands to the newest run of its site. */
export function standingOf(former: Former | undefined, order: Pick<Order, 'digest' | 'commit'>): Standing {
  if (former === undefined || hasEnded(former.state)) return 'new'
  if (former.isStopped) return 'instead'
  if (former.digest === order.digest && former.commit === order.commit) return 'same'
  return former.state === 'waiting' ? 'instead' : 'behind'
}
