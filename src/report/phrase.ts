import { display } from './display.js'

/** A piece of a sentence: trusted words, or `code`, an untrusted text that is never interpreted. */
interface Piece {
  readonly kind: 'words' | 'code'
  readonly text: string
}

/** A sentence or a value that every kind of report can render. */
export type Phrase = readonly Piece[]

/** Builds a phrase from a template: its literal text is trusted, substituted text is not. */
export function phrase(words: TemplateStringsArray, ...holes: readonly (string | number | Phrase)[]): Phrase {
  return words
    .flatMap((text, at) => [{ kind: 'words', text } as const, ...toPieces(holes[at])])
    .filter(({ kind, text }) => kind === 'code' || text !== '')
}

function toPieces(hole: string | number | Phrase | undefined): Phrase {
  if (hole === undefined) return []
  if (typeof hole === 'string') return [{ kind: 'code', text: hole }]
  return typeof hole === 'number' ? [{ kind: 'words', text: String(hole) }] : hole
}

/** A string literal. `string` and template types become `never`: a record with such keys may be empty. */
type Literal<T extends string> = Readonly<Record<never, never>> extends Readonly<Record<T, 1>> ? never : T

/** Builds a phrase of trusted words. */
export function words<const T extends string>(text: Literal<T>): Phrase {
  return [{ kind: 'words', text }]
}

/** Joins phrases with the same words between them. */
export function joinPhrases<const T extends string>(phrases: readonly Phrase[], between: Literal<T>): Phrase {
  return phrases.flatMap((one, at) => (at === 0 ? one : [...words<T>(between), ...one]))
}

/** Lists at most `limit` texts in one phrase, and counts the others. */
export function listTexts(texts: readonly string[], limit: number): Phrase {
  const shown = joinPhrases(
    texts.slice(0, limit).map(text => phrase`${text}`),
    ', ',
  )
  return texts.length <= limit ? shown : phrase`${shown} and ${texts.length - limit} more`
}

/** Renders a phrase for a terminal or a log. */
export function formatPhrase(pieces: Phrase): string {
  return pieces.map(({ kind, text }) => (kind === 'words' ? text : display(text))).join('')
}

/** Formats a sentence. Adds a full stop, unless quoted text at its end has one. */
export function formatSentence(words: string): string {
  return `${capitalize(words)}${/[.!?\u2026]$/.test(words) ? '' : '.'}\n`
}

/** Removes the full stop of a quoted text at the end, so that other words can follow. */
export function removeFullStop(words: string): string {
  return words.replace(/(?<!\.)\.$/, '')
}

/** Formats a count with its noun. */
export function formatNumber(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Capitalizes the first letter. */
export function capitalize(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Formats elapsed time for people: `12s`, `3m 05s`, `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${padTwo(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${padTwo(minutes % 60)}m`
}

/** Formats elapsed time for the start of a line: `[+00:12]`, `[+1:02:03]`. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${padTwo(Math.floor(seconds / 60) % 60)}:${padTwo(seconds % 60)}`
  return `[+${hours > 0 ? `${hours}:${rest}` : rest}]`
}

function padTwo(value: number): string {
  return String(value).padStart(2, '0')
}

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
