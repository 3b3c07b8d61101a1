import type { SubmissionState } from '../../src/plan/submission.js'

/** An operation that meets a fault. */
export type FaultOperation = 'apply' | 'plan' | 'status' | 'update' | 'exportSite' | 'deleteAll'

/** The recorded state of `configure`; `unreadable` if the fault is in the state itself. */
export type JournalState = SubmissionState | 'none' | 'unreadable'

/** Faults that the emulator cannot inject; the tests implement each. */
export type SetupName =
  | 'a manifest that is too large'
  | 'a manifest that is no UTF-8'
  | 'a manifest that multiplies'
  | 'a manifest that is nested too deeply'
  | 'a manifest with an unknown field'
  | 'no license'
  | 'an empty license'
  | 'a folder for a license'
  | 'a license behind a link out of the folder'
  | 'a license that changed since the plan'
  | 'a manifest that changed since the plan'
  | 'a plan of a manifest that lies elsewhere'
  | 'no password'
  | 'a password that changed since the plan'
  | 'a password that ends with a line break'
  | 'a password with a line break in it'
  | 'a password that is far too long'
  | 'state that is cut short'
  | 'state that was altered'
  | 'state with a gap'
  | 'state that others may read'
  | 'state behind a link'
  | 'state in a folder of the system'
  | 'no place for state'
  | 'a lock of a process that lives'
  | 'a lock of a process that is dead'
  | 'a lock of a process whose number was reused'
  | 'a lock of another machine'
  | 'a lock of an earlier boot'
  | 'an interrupt at the first poll'
  | 'a termination at the first poll'
  | 'TLS that is not verified'
  | 'a name that leads nowhere'
  | 'a port where nobody listens'
  | 'a certificate that signed itself'
  | 'a port without TLS'
  | 'a proxy where nobody listens'
  | 'an interrupt while configure hangs'
  | 'an interrupt while the answer hangs'
  | 'a submission intent of a process that was killed'
  | 'a submission intent whose request arrived'
  | 'a disk that fails while configure is sent'
  | 'a disk that fails while the policy is set'
  | 'a service called ..'
  | 'a service with a slash in disguise'
  | 'a service with a query'
  | 'two runs at once'
  | 'state of another site'
  | 'state of a newer Landform'

/** One way in which a fault happens, and its required outcome. */
export interface Cell {
  readonly operation: FaultOperation
  /** Faults of the emulator in its notation, or the name of another setup. */
  readonly by: readonly string[] | SetupName
  readonly exitCode: number
  readonly journal: JournalState
  /** Faults of the emulator in addition to another setup. */
  readonly faults?: readonly string[]
  /** True if the site had its organization before. */
  readonly configured?: true
  /** Exit code of a second run, if it is not 0. */
  readonly again?: number
  /** The required fidelity of the emulator, if it matters. */
  readonly fidelity?: 'document' | 'field'
}

/** One fault, and the required behaviour of Landform. */
export interface FaultRow {
  readonly id: string
  readonly where:
    | 'before'
    | 'connecting'
    | 'under way'
    | 'answer lost'
    | 'polling'
    | 'other operations'
    | 'after'
    | 'several runs'
  readonly fault: string
  /** The required outcome, and the message for the user. */
  readonly answer: string
  readonly cells: readonly Cell[]
  /** The reason why it is not injected here, or not in full, and the test that covers it instead. */
  readonly elsewhere?: string
}
