import type { Result } from '../result.js'
/** The words of a text, or the end of a sentence that starts with the name of the input. */
export type SplitResult = Result<readonly string[], string>

/** A piece of a word: between single quotes, between double quotes, after a backslash, or plain. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y

/**
 * Splits a text into words as a shell does, and interprets nothing else. Characters that a shell would interpret must be
 * quoted, so that nobody expects their effect.
 */
export function splitWords(text: string): SplitResult {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < text.length) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) {
      if (!/\s/.test(text.charAt(at))) return { ok: false, error: 'has an unterminated quote or backslash' }
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
        error: `is not read by a shell: put ${active} in single quotes if it is meant literally`,
      }
    word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
    at += whole.length
  }
  return { ok: true, value: word === undefined ? words : [...words, word] }
}
