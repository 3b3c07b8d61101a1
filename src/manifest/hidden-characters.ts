/** The kind of an invisible character. */
type HiddenKind = 'control' | 'bidirectional' | 'zero-width'

/** An invisible character of a text. */
interface HiddenCharacter {
  readonly kind: HiddenKind
  readonly character: string
}

/** The kind of characters that were copied along with a text. */
type StrayKind = 'space' | 'line-break' | 'no-break-space' | 'quotes'

/** Characters that were copied along with a text, and the text without them. */
interface StrayCharacters {
  readonly kind: StrayKind
  readonly cleaned: string
}

/** A fast path: most texts are plain ASCII. */
export function mayHideCharacters(text: string): boolean {
  return /[^ -~]|^[ "']| $/.test(text)
}

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** Invisible characters, except joiners and variation selectors after other scripts: Persian names and emoji need them. */
const hidden =
  /(?!(?<=[^\0-\u02ff])(?:\u200c|\u200d|\p{Variation_Selector}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Finds the first control, bidirectional or zero-width character. `lines` allows line breaks and tabs inside. */
export function findHidden(
  text: string,
  { lines }: { readonly lines: boolean },
): HiddenCharacter | undefined {
  const [start, end] = [text.length - text.trimStart().length, text.trimEnd().length]
  for (const { 0: character, index } of text.matchAll(hidden)) {
    // `findStray` reports line breaks and tabs at the ends.
    const isAtEnd = index < start || index >= end
    if (/[\n\r\t]/.test(character) && (lines || isAtEnd)) continue
    return { kind: findHiddenKind(character), character }
  }
  return undefined
}

function findHiddenKind(character: string): HiddenKind {
  if (bidirectional.test(character)) return 'bidirectional'
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) ? 'control' : 'zero-width'
}

const noBreak = /[\u00a0\u2007\u202f]/g
const quoted = /^[“”„‟«»"‘’‚‹›']([^“”„‟«»"‘’‚‹›]*)[“”„‟«»"‘’‚‹›']$/

/** Finds spaces, line breaks and quotes that were copied along with a text. */
export function findStray(text: string): StrayCharacters | undefined {
  const spaced = text.replaceAll(noBreak, ' ')
  const trimmed = spaced.trim()
  const cleaned = (quoted.exec(trimmed)?.[1] ?? trimmed).trim()
  if (cleaned === text || cleaned === '') return undefined
  if (/^[\n\r]|[\n\r]$/.test(text)) return { kind: 'line-break', cleaned }
  if (spaced !== text) return { kind: 'no-break-space', cleaned }
  return { kind: trimmed === text ? 'quotes' : 'space', cleaned }
}
