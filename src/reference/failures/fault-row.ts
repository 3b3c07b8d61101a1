import type { SubmissionState } from '../../plan/submission.js'

/** What a fault is met with. */
export type Operation = 'apply' | 'plan' | 'status' | 'update' | 'exportSite' | 'deleteAll'

/** How far the journal says that `configure` came; `unreadable` where the fault is in the state itself. */
export type JournalState = SubmissionState | 'none' | 'unreadable'

/** Ways to make a fault happen that are none of the emulator's; the tests have to know how each is done. */
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
  | 'a lock that an older version wrote'
  | 'an interrupt at the first look'
  | 'a termination at the first look'
  | 'TLS that is not verified'
  | 'a name that leads nowhere'
  | 'a port where nobody listens'
  | 'a certificate that signed itself'
  | 'a port without TLS'
  | 'a proxy where nobody listens'
  | 'an interrupt while configure hangs'
  | 'an interrupt while the answer hangs'
  | 'a promise of a process that was killed'
  | 'a promise that came to something'
  | 'a disk that fails while configure is sent'
  | 'a disk that fails while the policy is set'
  | 'a service called ..'
  | 'a service with a slash in disguise'
  | 'a service with a query'
  | 'two runs at once'
  | 'state of another site'
  | 'state of a newer Landform'

/** One way in which a fault happens, and what must come of it. */
export interface Cell {
  readonly operation: Operation
  /** Faults of the emulator in its notation, or the name of another way to make it happen. */
  readonly by: readonly string[] | SetupName
  readonly exitCode: number
  readonly journal: JournalState
  /** Faults of the emulator beside another way. */
  readonly faults?: readonly string[]
  /** Whether the site had its organization before. */
  readonly configured?: true
  /** Exit code of one more run, where it is not 0. */
  readonly again?: number
  /** What the emulator must be like, where it counts. */
  readonly fidelity?: 'document' | 'field'
}

/** One fault, and what Landform must do about it. */
export interface FaultRow {
  readonly id: string
  readonly where:
    | 'before'
    | 'connecting'
    | 'under way'
    | 'answer lost'
    | 'looking'
    | 'other operations'
    | 'after'
    | 'several runs'
  readonly fault: string
  /** What is so afterwards, and what the user is told. */
  readonly answer: string
  readonly cells: readonly Cell[]
  /** Why it is not made to happen here, or not in full, and what shows it instead. */
  readonly elsewhere?: string
}
