import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubmissionState } from '../../../src/plan/submission.js'
import { root } from '../../support/manifests.js'
import type { SetupName } from './setups.js'

/** An operation that meets a fault. */
export type FaultOperation = 'apply' | 'plan' | 'status' | 'update' | 'exportSite' | 'deleteAll'

/** The recorded state of `configure`; `unreadable` if the fault is in the state itself. */
export type JournalState = SubmissionState | 'none' | 'unreadable'

/** One way in which a fault happens, and its required outcome. */
export interface Cell {
  readonly operation: FaultOperation
  /** Faults of the emulator in its notation, or the name of another setup. */
  readonly by: readonly string[] | SetupName
  /** Faults of the emulator in addition to another setup. */
  readonly faults: readonly string[]
  readonly exitCode: number
  readonly journal: JournalState
  /** Exit code of a second run. */
  readonly again: number
  /** True if the site had its organization before. */
  readonly configured: boolean
  /** The required fidelity of the emulator, if it matters. */
  readonly fidelity?: 'document'
}

/** One fault, and the required behaviour of Landform. */
export interface FaultRow {
  readonly id: string
  readonly fault: string
  readonly cells: readonly Cell[]
  /** True if the page names another test that covers it. */
  readonly isElsewhere: boolean
}

/** The faults of `docs/reference/failures.md`, sorted by id. Every line of its tables is a cell. */
export const faultTable: readonly FaultRow[] = readFileSync(join(root, 'docs/reference/failures.md'), 'utf8')
  .split(/^### /m)
  .slice(1)
  .map(readRow)
  .sort((a, b) => a.id.localeCompare(b.id))

function readRow(text: string): FaultRow {
  const [, id = '', fault = ''] = /^(F\d+): (.*)/.exec(text) ?? []
  const lines = [...text.matchAll(/^\| (\w+) \| (.*) \| (\d+) \| (\w+) \| (\d+) \|$/gm)]
  return { id, fault, isElsewhere: / \*[^*]+\*$/m.test(text), cells: lines.map(readCell) }
}

function readCell([, command, how = '', code, state, second]: readonly string[]): Cell {
  const operation = command as FaultOperation
  const faults = [...how.matchAll(/`([^`]*)`/g)].map(([, fault]) => JSON.parse(`"${fault}"`) as string)
  const [setup = ''] = how.split(/(?:, )?`/)
  const isEmulated = setup === '' || setup === 'no fault'
  const [exitCode, again] = [Number(code), Number(second)]
  const configured = isEmulated
    ? operation !== 'apply' || faults.length === 0
    : setup === 'a submission intent whose request arrived'
  // With the fidelity `field` a site reports settings that differ from those of the manifest.
  const compares =
    operation === 'update' || (['plan', 'apply'].includes(operation) && (exitCode === 0 || again === 0))
  return {
    operation,
    by: isEmulated ? faults : (setup as SetupName),
    faults: isEmulated ? [] : faults,
    exitCode,
    journal: state as JournalState,
    again,
    configured,
    ...(isEmulated && configured && compares && { fidelity: 'document' }),
  }
}
