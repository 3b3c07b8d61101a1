import { withPinnedLines } from '../../src/cli/terminal/process-output.js'
import { withhold } from '../../src/client/redact/withheld.js'

/** Matches a control sequence, or a single control character. */
const control = /(\p{Cc}(?:\[[?\d;]*[a-zA-Z])?)/u

/** Renders output as a terminal would, as far as lines, cursor movement upwards and erased lines are concerned. */
function screenOf(written: string): readonly string[] {
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

function aTerminal(columns = 80) {
  let written = ''
  let width = columns
  let suspend: (() => () => void) | undefined
  const watch = (hide: () => () => void) => {
    suspend = hide
    return () => {
      suspend = undefined
    }
  }
  const stream = {
    write(text: string) {
      written += text
    },
    isTerminal: true,
    isBroken: false,
    get columns() {
      return width
    },
    rows: 24,
  }
  const output = withPinnedLines(stream, watch)
  return {
    output,
    written: () => written,
    /** Acts as if the person pressed Ctrl-Z, and returns a function that continues; undefined if nothing listens. */
    suspend: () => suspend?.(),
    resize(to: number) {
      width = to
    },
  }
}

test('a withheld text of a site is shown only on a terminal', () => {
  const text = withhold('a text of a site')
  const shown = [true, false].map(isTerminal => {
    let written = ''
    const write = (one: string) => {
      written += one
    }
    withPinnedLines(
      { write, isTerminal, isBroken: false, columns: 80, rows: 24 },
      () => () => undefined,
    ).print(text)
    return written
  })
  expect(shown).toEqual(['a text of a site', text])
})

test('pinned lines stay below all other output', () => {
  const { output, written } = aTerminal()
  output.write('before\n')
  output.pin(['a', 'b'])
  output.write('news\n')
  output.pin(['c'])
  output.write('more, and its line is not ended')
  expect(screenOf(written())).toEqual(['before', 'news', 'more, and its line is not ended', 'c', ''])
})

test('an unfinished line is ended before lines are pinned', () => {
  const { output, written } = aTerminal()
  output.write('half')
  output.pin(['a'])
  expect(screenOf(written())).toEqual(['half', 'a', ''])
})

test('released lines stay in place', () => {
  const { output, written } = aTerminal()
  output.pin(['a', 'b'])
  output.unpin()
  output.write('after\n')
  expect(screenOf(written())).toEqual(['a', 'b', 'after', ''])
})

test("pinned lines are removed while the process is suspended, and drawn again below the shell's output", () => {
  const { output, written, suspend } = aTerminal()
  output.write('before\n')
  expect(suspend()).toBeUndefined()
  output.pin(['a', 'b'])
  const resume = suspend()
  expect(screenOf(written())).toEqual(['before', '', '', ''])
  output.write('[1]+ Stopped\n')
  resume?.()
  expect(screenOf(written())).toEqual(['before', '[1]+ Stopped', 'a', 'b', ''])
  output.unpin()
  expect(suspend()).toBeUndefined()
})

test('no lines leave no trace', () => {
  const { output, written } = aTerminal()
  output.pin([])
  expect(written()).toBe('')
  output.pin(['a'])
  output.pin([])
  output.write('after\n')
  expect(screenOf(written())).toEqual(['after', ''])
})

test('lines that a narrower terminal wraps are erased with all their rows', () => {
  const { output, written, resize } = aTerminal()
  output.pin(['\x1b[32mtwelve chars\x1b[39m', '漢字漢字'])
  const before = written().length
  resize(5)
  output.pin(['x'])
  const erased = written().slice(before).split('\x1b[1A\x1b[2K').length - 1
  expect(erased).toBe(3 + 2)
})

test('the cursor is never hidden, and each change is one write', () => {
  const { output, written } = aTerminal()
  output.pin(['a'])
  output.write('news\n')
  expect(written()).not.toContain('\x1b[?25l')
  const [before, ...pieces] = written().split('\x1b[?2026h')
  expect(before).toBe('')
  expect(pieces).toHaveLength(2)
  for (const piece of pieces) expect(piece.indexOf('\x1b[?2026l')).toBe(piece.length - '\x1b[?2026l'.length)
})
