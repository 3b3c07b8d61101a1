import { display } from './display.js'
import { defaultColumns, type Paint, plain } from './terminal.js'

/** Longer names are cut, so that the columns stay aligned. */
const maxCharacters = 40

/**
 * Formats rows in columns as wide as their longest cell. The last column moves below the others if it does not fit
 * beside them. `paint` dims the head. Escapes untrusted text.
 */
export function formatTextTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint = plain,
): readonly string[] {
  const last = columns.length - 1
  const cells = [columns, ...rows].map(row =>
    row.map((cell, at) => display(cell, at === last ? 500 : maxCharacters)),
  )
  const widths = columns.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)))
  // No line begins with untrusted text, because CI runners parse commands there.
  const [head = '', ...lines] = cells.map(row => {
    const beside = `  ${row.map((cell, at) => (at === last ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`
    if (beside.trimEnd().length <= defaultColumns) return beside.trimEnd()
    const first = row.slice(0, last).map((cell, at) => cell.padEnd(widths[at] ?? 0))
    return `  ${first.join('  ').trimEnd()}\n      ${row[last]}`
  })
  return [paint('dim', head), ...lines]
}
