import type { Phrase } from './phrase.js'

/** A part of a report that any rendering can show: what a command found beside its plan. */
export interface Section {
  /** Words of Landform. */
  readonly title: string
  /** How it stands as a whole; `lead` says the same in words. */
  readonly tone: 'good' | 'bad'
  readonly lead: Phrase
  /** Words of Landform, one a cell. */
  readonly columns: readonly string[]
  readonly rows: readonly SectionRow[]
}

/** One thing that was found. */
export interface SectionRow {
  /** Fine, not fine, fine with something to know, not looked at; the cells say the same in words. */
  readonly sign: '+' | '-' | '!' | '?'
  readonly cells: readonly Phrase[]
}
