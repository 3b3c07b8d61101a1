/** The result of an operation that can fail in an expected way: its value or its error. A bug throws an exception instead. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }
