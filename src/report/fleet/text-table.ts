import { display } from '../display.js'

/** Longer names are cut, so that the columns stay aligned. */
const maxCharacters = 40

/** Formats rows in columns as wide as their longest cell; the last column is free. Untrusted text is made safe. */
export function formatTextTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const last = columns.length - 1
  const cells = [columns, ...rows].map(row =>
    row.map((cell, at) => (at === last ? display(cell, 500) : display(cell, maxCharacters))),
  )
  const widths = columns.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)))
  // Never an untrusted text at the beginning of a line, where a CI runner parses commands.
  return cells.map(row =>
    `  ${row.map((cell, at) => (at === last ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  )
}
