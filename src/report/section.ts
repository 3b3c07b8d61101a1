import type { Phrase } from './phrase.js'

/** A part of a report that every kind of report can render: the results of a check beside a plan. */
export interface Section {
  /** Trusted text. */
  readonly title: string
  /** The overall result; `lead` says the same in words. */
  readonly tone: 'good' | 'bad'
  readonly lead: Phrase
  /** Trusted text, one a cell. */
  readonly columns: readonly string[]
  readonly rows: readonly SectionRow[]
}

/** One result. */
export interface SectionRow {
  /** OK, not OK, OK with a note, not checked; the cells say the same in words. */
  readonly sign: '+' | '-' | '!' | '?'
  readonly cells: readonly Phrase[]
}
