import type { Result } from '../../../src/result.js'

/** A part of a word: in single quotes, in double quotes, after a backslash, or plain. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y

/** Splits a text into words as a shell does. The error is the end of a sentence about the text. */
export function splitWords(text: string): Result<readonly string[], string> {
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
    if (active !== undefined) return { ok: false, error: `has ${active} outside of quotes` }
    word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
    at += whole.length
  }
  return { ok: true, value: word === undefined ? words : [...words, word] }
}
