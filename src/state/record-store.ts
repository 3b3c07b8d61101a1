import type { ApplyRecord } from '../plan/record.js'

/** Why state could not be read or written. */
export interface StateFailure {
  readonly kind: 'unreadable' | 'unwritable' | 'damaged' | 'newer' | 'foreign'
  /** Where the state is kept, as the user would name it. */
  readonly where: string
  readonly reason: string
}

export type StateReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: StateFailure }

/** Keeps the apply record of one site. */
export interface RecordStore {
  /** The record, or an empty one where none was written yet; never empty because it could not be read. */
  read(): Promise<StateReply<ApplyRecord>>
  /** Writes the record durably, or leaves the old one whole. */
  write(record: ApplyRecord): Promise<StateReply<void>>
  /** Takes a saved plan for this run; false where another has it. One that is never let go stays taken. */
  claim(planId: string): Promise<StateReply<boolean>>
  /** Lets a plan go once the record says that it was used. */
  release(planId: string): Promise<void>
}
