import type { Place } from '../../diagnostics/place.js'
import { displayLine } from '../display.js'

/** Longer lines are cut: a terminal would scroll the message away. */
const widest = 120
const above = 2
const below = 1

/**
 * The marked line of a file with two before and one after. Ranges over several lines are marked where they begin.
 * Written by hand, since it is all that is needed of a library that takes longer to load than to check a manifest.
 */
export function codeFrame(lines: readonly string[], { start, end }: Place): string {
  // Only the lines that are shown are made ready: a file may have very many, and very many mistakes.
  const first = Math.max(0, start.line - 1 - above)
  const shown = lines.slice(first, start.line + below)
  const digits = String(first + shown.length).length
  return shown
    .flatMap((line, index) => {
      const number = first + 1 + index
      const isMarked = number === start.line
      const text = displayLine(line.slice(0, widest))
      const row = `${isMarked ? '>' : ' '} ${String(number).padStart(digits)} |${text === '' ? '' : ` ${text}`}`
      return isMarked ? [row, `  ${' '.repeat(digits)} | ${marks(line, { start, end })}`] : [row]
    })
    .join('\n')
}

/** As wide on the screen as what is marked: characters that are shown as escapes take more room. */
function marks(line: string, { start, end }: Pick<Place, 'start' | 'end'>): string {
  const from = Math.min(start.column, widest) - 1
  const to = start.line === end.line ? Math.min(end.column, widest) - 1 : from + 1
  const room = displayLine(line.slice(0, from)).length
  const marked = displayLine(line.slice(from, to)).length
  return ' '.repeat(room) + '^'.repeat(Math.max(1, marked))
}
