import type { KeptReceipt } from 'landform/state'
import type { RunRow } from './overview.js'
import type { Run, RunEvent } from './run.js'

/** The receipt of an apply, with the number of the state version that holds it. */
export interface NumberedReceipt extends KeptReceipt {
  readonly serial: number
}

/** The receipts of a site, or the reason that its state cannot be read. */
export type Receipts =
  | { readonly kind: 'read'; readonly receipts: readonly NumberedReceipt[] }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Everything known about one site. */
export interface SiteView {
  readonly run: Run
  /** The newest runs of the site, the newest first. */
  readonly runs: readonly RunRow[]
  /** The latest events of the run, the newest first. */
  readonly events: readonly RunEvent[]
  /** The newest first. */
  readonly receipts: Receipts
  /** Commands to run next; empty if nothing is left to do. */
  readonly next: readonly NextCommand[]
}

/** A command and its purpose. */
export interface NextCommand {
  readonly command: string
  readonly why: string
}
