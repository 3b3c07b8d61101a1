import type { SiteState, StateStore } from 'landform'
import { describeStateReason } from 'landform/report'
import type { Submission } from 'landform/state'
import type { NumberedReceipt, Receipts } from '../model/site-view.js'

/** The part of the state of a site that the page reads. */
export type ReadableState = Pick<StateStore, 'read' | 'history'>

/** The part of the state of a site that the page shows. */
export interface SiteStateView {
  readonly receipts: Receipts
  readonly submission?: Submission
}

const maxReceipts = 20

/** Reads the states of sites. The last one is read again only if it has a new version. */
export function createStateReader(
  keptAbout: (site: string) => ReadableState,
): (site: string) => Promise<SiteStateView> {
  let last: { readonly key: string; readonly receipts: Receipts } | undefined
  return async site => {
    const kept = keptAbout(site)
    const newest = await kept.read()
    if (!newest.ok)
      return { receipts: { kind: 'unreadable', reason: describeStateReason(newest.error.reason) } }
    const { serial = 0, submission } = newest.value ?? {}
    const key = `${serial} ${site}`
    const receipts = last?.key === key ? last.receipts : await readReceipts(kept)
    last = { key, receipts }
    return { receipts, ...(submission !== undefined && { submission }) }
  }
}

async function readReceipts(kept: ReadableState): Promise<Receipts> {
  const history = await kept.history()
  if (!history.ok) return { kind: 'unreadable', reason: describeStateReason(history.error.reason) }
  return { kind: 'read', receipts: history.value.flatMap(selectReceipt).reverse().slice(0, maxReceipts) }
}

function selectReceipt({ serial, entry }: SiteState): readonly NumberedReceipt[] {
  return entry.type === 'receipt' ? [{ serial, ...entry.receipt }] : []
}
