import { display } from './display.js'

/** A piece of a sentence: words of Landform, or `code`, a text of others that no rendering may take for anything else. */
export interface Piece {
  readonly kind: 'words' | 'code'
  readonly text: string
}

/** A sentence or a value as every rendering of a report can show it. */
export type Phrase = readonly Piece[]

/** Makes a phrase: what stands between the holes are words of Landform; a text in a hole is of others. */
export function phrase(words: TemplateStringsArray, ...holes: readonly (string | number | Phrase)[]): Phrase {
  return words
    .flatMap((text, at) => [{ kind: 'words', text } as const, ...piecesOf(holes[at])])
    .filter(({ kind, text }) => kind === 'code' || text !== '')
}

function piecesOf(hole: string | number | Phrase | undefined): Phrase {
  if (hole === undefined) return []
  if (typeof hole === 'string') return [{ kind: 'code', text: hole }]
  return typeof hole === 'number' ? [{ kind: 'words', text: String(hole) }] : hole
}

/** Words of Landform alone. */
export function words(text: string): Phrase {
  return [{ kind: 'words', text }]
}

/** Phrases one after the other, with the same words between them. */
export function joined(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((one, at) => (at === 0 ? one : [...words(between), ...one]))
}

/** At most so many of a list in one phrase; the others are counted. */
export function listed(texts: readonly string[], most: number): Phrase {
  const shown = joined(
    texts.slice(0, most).map(text => phrase`${text}`),
    ', ',
  )
  return texts.length <= most ? shown : phrase`${shown} and ${texts.length - most} more`
}

/** A phrase for a terminal or a log. */
export function formatPhrase(pieces: Phrase): string {
  return pieces.map(({ kind, text }) => (kind === 'words' ? text : display(text))).join('')
}
