/** The one right mend of a mistake, said of the place the diagnostic points at. */
export type Fix =
  /** The key is to be another. */
  | { readonly kind: 'rename'; readonly to: string }
  /** The value is to be another. */
  | { readonly kind: 'replace'; readonly by: string | number }
