/** A control sequence, or a control character by itself. */
const control = /(\p{Cc}(?:\[[?\d;]*[a-zA-Z])?)/u

/** A terminal that knows as much as the live view needs: lines, moves up, erased lines, and the colours in the lines. */
export function createScreen() {
  const lines = ['']
  let row = 0
  return {
    write(text) {
      for (const piece of text.split(control)) {
        if (piece === '\n') {
          row += 1
          lines[row] ??= ''
        } else if (piece === '\x1b[1A') row = Math.max(0, row - 1)
        else if (piece === '\x1b[2K') lines[row] = ''
        else if (piece !== '\r' && !piece.startsWith('\x1b[?')) lines[row] += piece
      }
    },
    /** The last rows, without that of the cursor. */
    read: rows => lines.slice(-rows, -1),
  }
}
