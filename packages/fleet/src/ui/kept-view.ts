import type { Submission } from '../../../../src/plan/submission.js'
import { describeStateReason } from '../../../../src/report/wording/state-failure.js'
import type { StateStore } from '../../../../src/state/ports.js'
import type { SiteState } from '../../../../src/state/site-state.js'
import type { NumberedReceipt, Receipts } from '../model/site-view.js'

/** The part of the state of a site that the page reads. */
export type KeptState = Pick<StateStore, 'read' | 'history'>

/** The part of the state of a site that the page shows. */
export interface KeptView {
  readonly receipts: Receipts
  readonly submission?: Submission
}

const receiptsAtMost = 20

/** Reads the states of sites. The last one is read again only if it has a new version. */
export function keptReader(keptAbout: (site: string) => KeptState): (site: string) => Promise<KeptView> {
  let last: { readonly key: string; readonly receipts: Receipts } | undefined
  return async site => {
    const kept = keptAbout(site)
    const newest = await kept.read()
    if (!newest.ok)
      return { receipts: { kind: 'unreadable', reason: describeStateReason(newest.error.reason) } }
    const { serial = 0, submission } = newest.value ?? {}
    const key = `${serial} ${site}`
    const receipts = last?.key === key ? last.receipts : await receiptsOf(kept)
    last = { key, receipts }
    return { receipts, ...(submission !== undefined && { submission }) }
  }
}

async function receiptsOf(kept: KeptState): Promise<Receipts> {
  const history = await kept.history()
  if (!history.ok) return { kind: 'unreadable', reason: describeStateReason(history.error.reason) }
  return { kind: 'read', receipts: history.value.flatMap(receiptIn).reverse().slice(0, receiptsAtMost) }
}

function receiptIn({ serial, entry }: SiteState): readonly NumberedReceipt[] {
  return entry.type === 'receipt' ? [{ serial, ...entry.receipt }] : []
}
