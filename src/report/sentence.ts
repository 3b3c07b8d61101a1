/** Words as a sentence of its own, on a line of its own. What a site said at the end of them may have an end already. */
export function sentence(words: string): string {
  return `${capitalized(words)}${/[.!?\u2026]$/.test(words) ? '' : '.'}\n`
}

/** Words that others follow. What a site said at the end of them may have a full stop. */
export function withoutStop(words: string): string {
  return words.replace(/(?<!\.)\.$/, '')
}

/** Words as they begin a sentence or a line. */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
