/** A control sequence, or a control character by itself. */
const control = /(\p{Cc}(?:\[[?\d;]*[a-zA-Z])?)/u
const move = /^\p{Cc}\[(\d*)([ABDG])$/u

/** A terminal that knows as much as the live view and the interview need: lines, moves, erased lines, and the colours in the lines. */
export function createScreen() {
  const lines = ['']
  let row = 0
  return {
    write(text) {
      for (const piece of text.split(control)) {
        if (piece === '\n') {
          row += 1
          lines[row] ??= ''
          continue
        }
        const [, count, code] = move.exec(piece) ?? []
        if (code === 'A') row = Math.max(0, row - Number(count))
        else if (code === 'B') row += Number(count)
        else if (piece === '\x1b[2K') lines[row] = ''
        // Only a whole line is written anew, so the column is always the first one.
        else if (piece === '\x1b[J') lines.splice(row, Number.POSITIVE_INFINITY, '')
        else if (code === undefined && piece !== '\r' && !piece.startsWith('\x1b[?')) lines[row] += piece
      }
    },
    /** The last rows, without that of the cursor. */
    read: rows => lines.slice(-rows, -1),
  }
}
