import { clipText, describeSites, formatTextTable, type Screen } from 'landform/report'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import { formatRunCells, runColumns } from './run-line.js'

/** Lines below the table, and one for the prompt. */
const otherLines = 3
/** Height of a terminal that does not report it. */
const fewRows = 20

/**
 * Formats a fleet for the size of a terminal: first runs that need attention or are running, and the number of hidden ones.
 */
export function formatFleetScreen(
  snapshot: FleetSnapshot,
  { paint, columns, rows }: Screen,
): readonly string[] {
  const room = Math.max(1, (rows === 0 ? fewRows : rows) - otherLines - 1)
  const shown = snapshot.runs.slice(0, room)
  const lines = formatTextTable(
    runColumns,
    shown.map(run => formatRunCells(run, snapshot)),
  ).map(line => clipText(line, columns))
  const [head = '', ...body] = lines
  const hidden = snapshot.runs.length - shown.length
  return [
    paint('dim', head),
    ...body,
    ...(hidden > 0 ? [clipText(`  … and ${hidden} more`, columns)] : []),
    paint('dim', clipText(`  ${describeSites(snapshot.runs)}`, columns)),
  ]
}
