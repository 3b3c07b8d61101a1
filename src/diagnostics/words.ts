/** Formats names in code marks for a sentence: `a`, `b`, and `c`. */
export function allOf(names: readonly string[]): string {
  return joined(names.map(quoted), 'and')
}

/** Formats alternatives for a sentence: `a`, `b`, or `c`. */
export function oneOf(names: readonly string[]): string {
  return joined(names.map(quoted), 'or')
}

/** Formats a name or value in code marks. */
export function quoted(name: string): string {
  return `\`${name}\``
}

/** Formats alternatives, cut after the first few; the schema has the rest. */
export function shortList(names: readonly string[]): string {
  const max = 14
  const rest = names.length - max
  return rest <= 0 ? oneOf(names) : `${names.slice(0, max).map(quoted).join(', ')} and ${rest} more`
}

/** Joins by hand: creating an `Intl.ListFormat` takes longer than a whole check. */
function joined(words: readonly string[], last: 'and' | 'or'): string {
  const comma = words.length > 2 ? ',' : ''
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')}${comma} ${last} ${words.at(-1)}`
}

/** Joins sentences to one paragraph. */
export function paragraph(...sentences: readonly string[]): string {
  return sentences.join(' ')
}

/** Joins lines to one text, such as a few lines of YAML. */
export function lines(...lines: readonly string[]): string {
  return lines.join('\n')
}

/** Formats the question after a near miss; `undefined` without a suggestion. */
export function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `did you mean ${quoted(suggestion)}?`
}
