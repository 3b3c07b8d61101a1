import { stripVTControlCharacters } from 'node:util'
import { columnsOf } from '../report/columns.js'
import type { Output } from './host.js'

/** Terminals that know it show what is between these at once; others ignore it. */
const together = ['\x1b[?2026h', '\x1b[?2026l'] as const
const toLineEnd = '\x1b[K'
const toScreenEnd = '\x1b[J'

/**
 * A stream that can keep lines below all that is written to it. Each is written over what stands there, so nothing
 * flickers, and never hides the cursor, so nothing is left to mend however the process ends.
 */
export function pinnedOutput(output: Omit<Output, 'pin'>): Output {
  let pinned: readonly string[] = []
  let isLineOpen = false
  const show = (text: string, lines: readonly string[]) => {
    const up = rowsOf(pinned, output.columns)
    const above = text === '' ? [] : text.replace(/\n$/, '').split('\n')
    const all = [...above, ...lines].map(line => `${line}${toLineEnd}\n`).join('')
    pinned = lines
    output.write(`${together[0]}${up === 0 ? '' : `\x1b[${up}A`}\r${all}${toScreenEnd}${together[1]}`)
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
