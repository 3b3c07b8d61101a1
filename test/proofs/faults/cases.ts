import { hasGit } from '../../support/git-repositories.js'
import { closeDoubles } from '../../support/http-double.js'
import { removeTemporaryFolders } from '../../support/temporary-folder.js'
import { type Cell, type FaultRow, faultTable } from './fault-table.js'
import { type Tried, tryCell, type Watch } from './try-cell.js'
import type { Place, Ran } from './world.js'

/** A cell of the fault table at one place. */
export interface FaultCase {
  readonly id: FaultRow['id']
  readonly name: string
  readonly cell: Cell
  readonly place: Place
}

/** Every cell at every place where it can be tried; `first` has one cell of each row. */
export const faultCases: Readonly<Record<'first' | 'all', readonly FaultCase[]>> = {
  first: faultTable.flatMap(row => row.cells.slice(0, 1).map(cell => caseOf(row, cell))),
  all: faultTable.flatMap(row =>
    row.cells.flatMap(cell => placesOf(cell).map(place => caseOf(row, cell, place))),
  ),
}

/** Lists the cases of a form, by its name on the command line. */
export function casesIn(form: string): readonly FaultCase[] {
  if (form !== 'first' && form !== 'all') throw new Error(`--form takes first or all, not "${form}"`)
  return faultCases[form]
}

/** Tries a case, and lists its violations and its differences from the row. */
export async function violationsOf(
  { cell, place }: FaultCase,
  watch: Watch,
  /** Changes the result of each run, for a control. */
  alter: (ran: Ran) => Ran = ran => ran,
): Promise<readonly string[]> {
  try {
    const { violations, ...tried } = await tryCell(cell, place, watch, alter)
    const { exitCode, journal, again = 0 } = cell
    const expected: Omit<Tried, 'violations'> = { exitCode, journal, again }
    const names = ['exitCode', 'journal', 'again'] as const
    const wrong = names.filter(name => tried[name] !== expected[name])
    return [...violations, ...wrong.map(name => `${name} is ${tried[name]}, not ${expected[name]}`)]
  } finally {
    await closeDoubles()
    await removeTemporaryFolders()
  }
}

function caseOf(
  { id }: FaultRow,
  cell: Cell,
  place: Place = { fidelity: cell.fidelity ?? 'document', keeps: 'file' },
): FaultCase {
  const by = typeof cell.by === 'string' ? cell.by : cell.by.join(', ')
  const at = [place.fidelity === 'field' && 'in the field', place.keeps === 'git' && 'with state in git']
  return { id, name: [`${cell.operation}: ${by}`, ...at.filter(Boolean)].join(', '), cell, place }
}

function placesOf({ by, fidelity: only, operation }: Cell): readonly Place[] {
  const isEmulated = typeof by !== 'string'
  const fidelity = only ?? 'document'
  return [
    { fidelity, keeps: 'file' },
    ...(isEmulated && only === undefined ? [{ fidelity: 'field', keeps: 'file' } as const] : []),
    ...(isEmulated && operation === 'apply' && hasGit ? [{ fidelity, keeps: 'git' } as const] : []),
  ]
}
