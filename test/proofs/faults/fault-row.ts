import type { SubmissionState } from '../../../src/plan/submission.js'
import type { SetupName } from './setups.js'

/** What a fault is met with. */
export type Operation = 'apply' | 'plan' | 'status' | 'update' | 'exportSite' | 'deleteAll'

/** How far the journal says that `configure` came; `unreadable` where the fault is in the state itself. */
export type JournalState = SubmissionState | 'none' | 'unreadable'

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
