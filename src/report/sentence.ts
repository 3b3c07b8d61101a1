/** Makes a sentence. Quoted text at its end may have its own full stop. */
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
