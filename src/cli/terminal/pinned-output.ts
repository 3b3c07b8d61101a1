import { stripVTControlCharacters } from 'node:util'
import { columnsOf } from '../../report/columns.js'
import type { Output } from '../host.js'

/** Terminals that know it show what is between these at once; others ignore it. */
const together = ['\x1b[?2026h', '\x1b[?2026l'] as const
/** Line by line: some terminals keep a screen that is erased as a whole in their history. */
const eraseLineAbove = '\x1b[1A\x1b[2K'

/**
 * A stream that can keep lines below all that is written to it. Old and new ones go out in one piece, so that nothing
 * flickers, and the cursor is never hidden, so that nothing is left to mend however the process ends.
 */
export function pinnedOutput(output: Omit<Output, 'pin' | 'unpin'>): Output {
  let pinned: readonly string[] = []
  let isLineOpen = false
  const show = (text: string, lines: readonly string[]) => {
    const erased = `\r${eraseLineAbove.repeat(rowsOf(pinned, output.columns))}`
    const above = text === '' || text.endsWith('\n') ? text : `${text}\n`
    pinned = lines
    output.write(`${together[0]}${erased}${above}${lines.map(line => `${line}\n`).join('')}${together[1]}`)
  }
  return {
    get isTerminal() {
      return output.isTerminal
    },
    get isBroken() {
      return output.isBroken
    },
    get columns() {
      return output.columns
    },
    get rows() {
      return output.rows
    },
    write(text) {
      if (pinned.length === 0) {
        output.write(text)
        if (text !== '') isLineOpen = !text.endsWith('\n')
      } else if (text !== '') show(text, pinned)
    },
    pin(lines) {
      if (pinned.length === 0 && lines.length === 0) return
      if (isLineOpen) output.write('\n')
      isLineOpen = false
      show('', lines)
    },
    unpin() {
      pinned = []
    },
  }
}

/** How many rows lines take after the terminal got narrower: it breaks those that do not fit any more. */
function rowsOf(lines: readonly string[], columns: number): number {
  if (columns < 1) return lines.length
  return lines.reduce((rows, line) => {
    const width = columnsOf(stripVTControlCharacters(line))
    return rows + Math.max(1, Math.ceil(width / columns))
  }, 0)
}
