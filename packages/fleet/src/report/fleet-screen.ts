import { clipText, countColumns, describeSites, display, padText, type Screen } from 'landform/report'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import { formatRunCells, runColumns } from './run-line.js'

/** Lines below the table, and one for the prompt. */
const otherLines = 3
/** Height of a terminal that does not report it. */
const fewRows = 20
const widestCell = 32

/**
 * Formats a fleet for the size of a terminal: first runs that need attention or are running, and the number of hidden ones.
 */
export function formatFleetScreen(
  snapshot: FleetSnapshot,
  { paint, columns, rows }: Screen,
): readonly string[] {
  const room = Math.max(1, (rows === 0 ? fewRows : rows) - otherLines - 1)
  const shown = snapshot.runs.slice(0, room)
  const cells = [runColumns, ...shown.map(run => formatRunCells(run, snapshot))].map(row =>
    row.map((cell, at) => (at === row.length - 1 ? display(cell, 500) : clipText(display(cell), widestCell))),
  )
  const widths = runColumns.map((_, at) => Math.max(...cells.map(row => countColumns(row[at] ?? ''))))
  const lines = cells.map(row =>
    clipText(`  ${row.map((cell, at) => padText(cell, widths[at] ?? 0)).join('  ')}`.trimEnd(), columns),
  )
  const [head = '', ...body] = lines
  const hidden = snapshot.runs.length - shown.length
  return [
    paint('dim', head),
    ...body,
    ...(hidden > 0 ? [clipText(`  … and ${hidden} more`, columns)] : []),
    paint('dim', clipText(`  ${describeSites(snapshot.runs)}`, columns)),
  ]
}
