/** What came of something that may fail in an expected way: a value, or why there is none. An exception is a bug. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }
