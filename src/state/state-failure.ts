import type { Result } from '../result.js'
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
    /** The state is elsewhere, or belongs to another address of the same site; `to` says where. */
    | 'moved'
    /** This machine promised a request for the site with other state, and its outcome is open. */
    | 'promised-elsewhere'
  /** Where the state is kept, as the user would name it. */
  readonly where: string
  readonly reason: string
  /** Where the state went, of one that moved. */
  readonly to?: MovedTo
  /** The other address that the site is called by. */
  readonly calledBy?: string
}

/** Where the state of a site is, as a pointer says it. */
export interface MovedTo {
  /** A state location; absent where it is the same. */
  readonly state?: string
  /** The address of the site; absent where it is the same. */
  readonly site?: string
}

export type StateReply<T> = Result<T, StateFailure>
