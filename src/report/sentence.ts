/** Words as a sentence of its own, on a line of its own. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.\n`
}
