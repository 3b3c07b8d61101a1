/** A control sequence, or a control character by itself. */
const control = /(\p{Cc}(?:\[[?\d;]*[a-zA-Z])?)/u

/** What a terminal shows of what was written: enough of one for lines, moves up, and erased lines. */
export function screenOf(written: string): readonly string[] {
  const rows: string[] = ['']
  let row = 0
  for (const piece of written.split(control)) {
    if (piece === '\n') {
      row += 1
      rows[row] ??= ''
    } else if (piece === '\x1b[1A') row = Math.max(0, row - 1)
    else if (piece === '\x1b[2K') rows[row] = ''
    else if (piece !== '\r' && !piece.startsWith('\x1b')) rows[row] += piece
  }
  return rows
}
