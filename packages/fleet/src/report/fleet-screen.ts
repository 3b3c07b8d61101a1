import { clipped, columnsOf, padded } from '../../../../src/report/columns.js'
import { display } from '../../../../src/report/display.js'
import type { Screen } from '../../../../src/report/live-view.js'
import type { FleetLook } from '../model/fleet-look.js'
import { describeCounts } from './fleet-status.js'
import { runCells, runColumns } from './run-line.js'

/** Lines below the table, and one for the prompt. */
const otherLines = 3
/** Height of a terminal that does not report it. */
const fewRows = 20
const widestCell = 32

/**
 * Formats a fleet for the size of a terminal: first runs that need attention or are running, and the number of hidden ones.
 */
export function fleetScreen(snapshot: FleetLook, { paint, columns, rows }: Screen): readonly string[] {
  const room = Math.max(1, (rows === 0 ? fewRows : rows) - otherLines - 1)
  const shown = snapshot.runs.slice(0, room)
  const cells = [runColumns, ...shown.map(run => runCells(run, snapshot))].map(row =>
    row.map((cell, at) => (at === row.length - 1 ? display(cell, 500) : clipped(display(cell), widestCell))),
  )
  const widths = runColumns.map((_, at) => Math.max(...cells.map(row => columnsOf(row[at] ?? ''))))
  const lines = cells.map(row =>
    clipped(`  ${row.map((cell, at) => padded(cell, widths[at] ?? 0)).join('  ')}`.trimEnd(), columns),
  )
  const [head = '', ...body] = lines
  const hidden = snapshot.runs.length - shown.length
  return [
    paint('dim', head),
    ...body,
    ...(hidden > 0 ? [clipped(`  … and ${hidden} more`, columns)] : []),
    paint('dim', clipped(`  ${describeCounts(snapshot.runs)}`, columns)),
  ]
}
