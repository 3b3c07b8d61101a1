import type { Paint } from './paint.js'
import { formatPhrase, type Phrase } from './phrase.js'

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

/** Formats a section for people. */
export function formatSection({ title, tone, lead, rows }: Section, paint: Paint): readonly string[] {
  const lines = rows.map(({ sign, cells }) => ({ sign, texts: cells.map(formatPhrase) }))
  const width = Math.min(44, Math.max(0, ...lines.map(({ texts: [first = ''] }) => first.length)))
  return [
    `${paint('bold', title)}: ${paint(tones[tone], formatPhrase(lead))}`,
    // Never an untrusted text at the beginning of a line, where a CI runner parses commands.
    ...lines.map(
      ({ sign, texts: [first = '', ...rest] }) =>
        `  ${paint(signs[sign], sign)} ${[first.padEnd(width), ...rest].join('  ')}`,
    ),
    '',
  ]
}

const tones = { good: 'green', bad: 'red' } as const satisfies Record<Section['tone'], string>
const signs = { '+': 'green', '-': 'red', '!': 'yellow', '?': 'dim' } as const satisfies Record<
  SectionRow['sign'],
  string
>
