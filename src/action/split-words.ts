import type { Result } from '../result.js'
/** The words of a text; `problem` ends a sentence that begins with where it stands. */
export type SplitWords = Result<readonly string[], string>

/** A piece of a word: between single quotes, between double quotes, after a backslash, or plain. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y

/**
 * Splits a text into words as a shell reads them, and does nothing else that a shell does. What a shell would act upon
 * must stand in quotes, so that no one takes it for something that happens.
 */
export function splitWords(text: string): SplitWords {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < text.length) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) {
      if (!/\s/.test(text.charAt(at)))
        return { ok: false, error: 'has a quote or a backslash that nothing ends' }
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
      continue
    }
    const [whole, single, double, escaped, plain] = found
    const active = /[$`;&|<>()*?[\]{}~#!]/.exec(plain ?? '')?.[0]
    if (active !== undefined)
      return {
        ok: false,
        error: `is read by no shell: put ${active} in single quotes if it is meant as it stands`,
      }
    word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
    at += whole.length
  }
  return { ok: true, value: word === undefined ? words : [...words, word] }
}
