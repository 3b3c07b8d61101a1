/** Formats names in code marks for a sentence: `a`, `b`, and `c`. */
export function formatAll(names: readonly string[]): string {
  return joinWords(names.map(quote), 'and')
}

/** Formats alternatives for a sentence: `a`, `b`, or `c`. */
export function formatAlternatives(names: readonly string[]): string {
  return joinWords(names.map(quote), 'or')
}

/** Formats a name or value in code marks. */
export function quote(name: string): string {
  return `\`${name}\``
}

/** Formats alternatives, cut after the first few; the schema has the rest. */
export function formatShortList(names: readonly string[]): string {
  const max = 14
  const rest = names.length - max
  return rest <= 0
    ? formatAlternatives(names)
    : `${names.slice(0, max).map(quote).join(', ')} and ${rest} more`
}

/** Joins by hand: creating an `Intl.ListFormat` takes longer than a whole check. */
function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  const comma = words.length > 2 ? ',' : ''
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')}${comma} ${last} ${words.at(-1)}`
}

/** Formats the question after a near miss; `undefined` without a suggestion. */
export function formatSuggestion(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `did you mean ${quote(suggestion)}?`
}
