/** A text for every code of a union, made from the facts of that code. */
export type Wording<T extends { readonly code: string }> = {
  readonly [C in T['code']]: (facts: Extract<T, { readonly code: C }>) => string
}

/** Puts a value into the words of its catalog. */
export function describeBy<T extends { readonly code: string }>(wording: Wording<T>, facts: T): string {
  const describe = wording[facts.code as T['code']] as (facts: T) => string
  return describe(facts)
}
