import type { Phrase } from './phrase.js'

/** A part of a report that any rendering can show: what a command found beside its plan. */
export interface Section {
  /** Words of Landform. */
  readonly title: string
  readonly lead: Phrase
  /** Words of Landform, one a column; none where there is nothing to list. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Phrase[])[]
}
