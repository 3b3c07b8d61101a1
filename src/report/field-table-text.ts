import type { FieldTableRow } from './fields/field-rows.js'
import type { VolumeRow } from './fields/volume-rows.js'
import type { Paint } from './paint.js'
import { formatPhrase } from './phrase.js'

/** A longer cell does not make the column of all rows wider. */
const maxCellWidth = 30

function measureColumn(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(({ length }) => length).filter(length => length <= maxCellWidth))
}

/** Formats the fields of a step: the line in the manifest, a sign, the name, and the values before and after. */
export function formatFieldTable(
  rows: readonly (FieldTableRow & { readonly note?: string })[],
  paint: Paint,
): readonly string[] {
  const width = measureColumn(rows.map(({ name }) => name))
  return rows.flatMap((row, at) => {
    const { name, sign, change, note } = row
    const colour = sign === '+' ? 'green' : sign === '-' ? 'red' : 'yellow'
    const notes = [row.default && 'default', note].filter(Boolean)
    const end = notes.length === 0 ? '' : `  (${notes.join(', ')})`
    return [
      ...formatFile(row, rows.slice(0, at), paint),
      `${formatLine(row, paint)} ${paint(colour, sign)} ${name.padEnd(width)}  ${formatPhrase(change)}${end}`,
    ]
  })
}

/** Formats volumes in columns, below the fields of the same step. */
export function formatVolumeTable(
  rows: readonly VolumeRow[],
  above: readonly FieldTableRow[],
  paint: Paint,
): readonly string[] {
  if (rows.length === 0) return []
  const texts = rows.map(row => [
    row.component,
    ...[row.size, row.storageClass, row.labels].map(formatPhrase),
  ])
  const head = ['volumes', 'size', 'class', 'labels']
  const widths = head.map((_, at) => measureColumn([head, ...texts].map(cells => cells[at] ?? '')))
  const join = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === head.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [
    `        ${paint('dim', join(head))}`,
    ...rows.flatMap((row, at) => [
      ...formatFile(row, [...above, ...rows.slice(0, at)], paint),
      `${formatLine(row, paint)} ${paint('green', '+')} ${join(texts[at] ?? [])}`,
    ]),
  ]
}

interface Located {
  readonly file: string
  readonly line: number
  readonly default?: true
}

/** Names the file of the lines below it, where it is another one than above. */
function formatFile(row: Located, above: readonly Located[], paint: Paint): readonly string[] {
  const last = above.findLast(one => !one.default)
  return row.default || row.file === last?.file ? [] : [paint('dim', `      in ${row.file}:`)]
}

/** Formats the line in the manifest; defaults have no line. */
function formatLine({ line, default: isDefault }: Located, paint: Paint): string {
  return isDefault ? ' '.repeat(5) : paint('dim', String(line).padStart(5))
}
