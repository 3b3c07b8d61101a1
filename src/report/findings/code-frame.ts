import type { Place } from '../../diagnostics/place.js'
import { clipText } from '../columns.js'
import { displayLine } from '../display.js'
import { defaultColumns } from '../wrap.js'

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
      const { text, marks } = cutLine(
        line,
        isMarked ? { start, end } : undefined,
        defaultColumns - digits - 5,
      )
      const row = `${isMarked ? '>' : ' '} ${String(number).padStart(digits)} |${text === '' ? '' : ` ${text}`}`
      return isMarked ? [row, `  ${' '.repeat(digits)} | ${marks}`] : [row]
    })
    .join('\n')
}

/**
 * Cuts a line to a width, around the range that is marked. Marks are as wide as the range on the screen: characters shown
 * as escapes take more room.
 */
function cutLine(line: string, range: Pick<Place, 'start' | 'end'> | undefined, room: number) {
  const start = (range?.start.column ?? 1) - 1
  const end = range !== undefined && range.start.line === range.end.line ? range.end.column - 1 : start + 1
  const isFarRight = displayLine(line.slice(0, Math.min(end, start + room / 2))).length >= room
  const from = isFarRight ? Math.max(1, start - Math.floor(room / 3)) : 0
  const opening = isFarRight ? '…' : ''
  const before = opening.length + displayLine(line.slice(from, start)).length
  const marked = Math.min(displayLine(line.slice(start, end)).length, room - before)
  return {
    // A multiple of the room: marks of accents take none.
    text: clipText(opening + displayLine(line.slice(from, from + 4 * room)), room),
    marks: ' '.repeat(Math.min(before, room - 1)) + '^'.repeat(Math.max(1, marked)),
  }
}
