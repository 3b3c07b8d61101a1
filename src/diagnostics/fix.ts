/** The one right fix of a mistake, at the place of its diagnostic. */
export type Fix =
  /** Renames the key. */
  | { readonly kind: 'rename'; readonly to: string }
  /** Replaces the value. */
  | { readonly kind: 'replace'; readonly by: string | number }
