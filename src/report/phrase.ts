import { display } from './display.js'

/** A piece of a sentence: trusted words, or `code`, an untrusted text that is never interpreted. */
export interface Piece {
  readonly kind: 'words' | 'code'
  readonly text: string
}

/** A sentence or a value that every kind of report can render. */
export type Phrase = readonly Piece[]

/** Builds a phrase: the text between the holes is trusted; a text in a hole is not. */
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

/** Builds a phrase of trusted words. */
export function words(text: string): Phrase {
  return [{ kind: 'words', text }]
}

/** Joins phrases with the same words between them. */
export function joinPhrases(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((one, at) => (at === 0 ? one : [...words(between), ...one]))
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
