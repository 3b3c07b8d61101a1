const conjunction = new Intl.ListFormat('en', { type: 'conjunction' })
const disjunction = new Intl.ListFormat('en', { type: 'disjunction' })

/** `a`, `b`, and `c`: names in code marks, joined for a sentence. */
export function allOf(names: readonly string[]): string {
  return conjunction.format(names.map(quoted))
}

/** `a`, `b`, or `c`. */
export function oneOf(names: readonly string[]): string {
  return disjunction.format(names.map(quoted))
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
