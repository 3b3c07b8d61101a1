import type { Place } from '../../diagnostics/place.js'
import { displayLine } from '../display.js'

/** Longer lines are cut: a terminal would scroll the message away. */
const maxColumns = 120
const above = 2
const below = 1

/**
 * Formats the marked line of a file with two before and one after. Ranges over several lines are marked at their start.
 * Written by hand, because a library for this takes longer to load than a manifest to check.
 */
export function formatCodeFrame(lines: readonly string[], { start, end }: Place): string {
  // Only the shown lines are formatted: a file may have very many lines, and very many errors.
  const first = Math.max(0, start.line - 1 - above)
  const shown = lines.slice(first, start.line + below)
  const digits = String(first + shown.length).length
  return shown
    .flatMap((line, index) => {
      const number = first + 1 + index
      const isMarked = number === start.line
      const text = displayLine(line.slice(0, maxColumns))
      const row = `${isMarked ? '>' : ' '} ${String(number).padStart(digits)} |${text === '' ? '' : ` ${text}`}`
      return isMarked ? [row, `  ${' '.repeat(digits)} | ${formatMarks(line, { start, end })}`] : [row]
    })
    .join('\n')
}

/** Marks a range as wide as it is on the screen: characters shown as escapes take more room. */
function formatMarks(line: string, { start, end }: Pick<Place, 'start' | 'end'>): string {
  const from = Math.min(start.column, maxColumns) - 1
  const to = start.line === end.line ? Math.min(end.column, maxColumns) - 1 : from + 1
  const room = displayLine(line.slice(0, from)).length
  const marked = displayLine(line.slice(from, to)).length
  return ' '.repeat(room) + '^'.repeat(Math.max(1, marked))
}
