import type { KeptReceipt } from '../../../../src/state/site-state.js'
import type { RunRow } from './overview.js'
import type { Run, RunEvent } from './run.js'

/** What an apply left behind, with the number of the version of the state that tells it. */
export interface NumberedReceipt extends KeptReceipt {
  readonly serial: number
}

/** What the state of a site tells of its applies, or why it cannot be read. */
export type Receipts =
  | { readonly kind: 'read'; readonly receipts: readonly NumberedReceipt[] }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** All that is known of one site. */
export interface SiteView {
  readonly run: Run
  /** The newest runs of the site, the newest first. */
  readonly runs: readonly RunRow[]
  /** What happened last in the run, the newest first. */
  readonly events: readonly RunEvent[]
  /** The newest first. */
  readonly receipts: Receipts
  /** What a person types now; empty where nothing is to be done. */
  readonly next: readonly NextCommand[]
}

/** A command to type, and what it is good for. */
export interface NextCommand {
  readonly command: string
  readonly why: string
}
