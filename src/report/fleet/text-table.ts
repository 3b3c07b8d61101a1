import { display } from '../display.js'

/** Longer names are cut, so that a table stays one. */
const mostCharacters = 40

/** Rows under each other, each column as wide as its longest cell; the last one is free. Texts of others are made inert. */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const last = columns.length - 1
  const cells = [columns, ...rows].map(row =>
    row.map((cell, at) => (at === last ? display(cell, 500) : display(cell, mostCharacters))),
  )
  const widths = columns.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)))
  // Never a text of others at the beginning of a line, where a runner looks for commands.
  return cells.map(row =>
    `  ${row.map((cell, at) => (at === last ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  )
}
