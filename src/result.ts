/** The result of something that may fail in an expected way: a value, or the reason for none. An exception is a bug. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }
