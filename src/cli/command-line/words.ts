/** The words of a command line before `--`, where options are, and after it, where none is. */
export function splitWords(words: readonly string[]): {
  readonly before: readonly string[]
  readonly after: readonly string[]
} {
  const end = words.indexOf('--')
  return end === -1
    ? { before: words, after: [] }
    : { before: words.slice(0, end), after: words.slice(end + 1) }
}

/** True for a word that asks for the help. */
export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** True where the help is asked for, whatever stands beside it. */
export function asksForHelp(words: readonly string[]): boolean {
  return splitWords(words).before.some(isHelp)
}
