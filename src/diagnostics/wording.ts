/** A union member that carries no facts. */
export type Plain<K extends string> = K extends string ? { readonly kind: K } : never

/** A catalog of texts: one per kind of a union, built from the facts of that kind. */
export type Wording<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: (facts: Extract<F, { readonly kind: K }>) => string
}

/** Returns the text for these facts. */
export function wordingFor<F extends { readonly kind: string }>(catalog: Wording<F>, facts: F): string {
  const describe = catalog[facts.kind as F['kind']] as (facts: F) => string
  return describe(facts)
}
