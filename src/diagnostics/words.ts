/** `a`, `b`, and `c`: names in code marks, joined for a sentence. */
export function allOf(names: readonly string[]): string {
  return joined(names.map(quoted), 'and')
}

/** `a`, `b`, or `c`. */
export function oneOf(names: readonly string[]): string {
  return joined(names.map(quoted), 'or')
}

/** A name or value in code marks. */
export function quoted(name: string): string {
  return `\`${name}\``
}

/** `oneOf`, cut to what a person reads; the schema has the rest. */
export function shortList(names: readonly string[]): string {
  const most = 14
  const rest = names.length - most
  return rest <= 0 ? oneOf(names) : `${names.slice(0, most).map(quoted).join(', ')} and ${rest} more`
}

/** By hand: the list format of the platform costs more to make ready than a whole check. */
function joined(words: readonly string[], last: 'and' | 'or'): string {
  const comma = words.length > 2 ? ',' : ''
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')}${comma} ${last} ${words.at(-1)}`
}

/** Sentences as one paragraph. */
export function paragraph(...sentences: readonly string[]): string {
  return sentences.join(' ')
}

/** Lines as one text, such as a few lines of YAML. */
export function lines(...lines: readonly string[]): string {
  return lines.join('\n')
}

/** The question after a near miss; `undefined` where nothing is near. */
export function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `did you mean ${quoted(suggestion)}?`
}
