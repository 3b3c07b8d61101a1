/** Why state could not be read or written. */
export interface StateFailure {
  readonly kind:
    | 'unreadable'
    | 'unwritable'
    | 'damaged'
    /** A newer Landform wrote it. */
    | 'newer'
    /** It belongs to another site. */
    | 'foreign'
    /** Another run wrote it meanwhile. */
    | 'overtaken'
  /** Where the state is kept, as the user would name it. */
  readonly where: string
  readonly reason: string
}

export type StateReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: StateFailure }
