import { fstatSync, statSync, writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { reveal } from '../../client/redact/withheld.js'
import { display } from '../../report/display.js'
import { countColumns, defaultColumns, wrapLines } from '../../report/terminal.js'
import type { Output } from '../host.js'

/**
 * A stream of the process with synchronous writes, so that nothing is lost however the process ends, and without setup
 * time. Where the reader does not keep up, Node's own stream takes over and waits for it. `onBroken` gets the code of
 * the error when nothing can be written any more.
 */
export function processOutput(descriptor: 1 | 2, onBroken: (code: string | undefined) => void): Output {
  let way: 'at-once' | 'streamed' | 'broken' = 'at-once'
  const stream = () => (descriptor === 1 ? process.stdout : process.stderr)
  // Read each time: the stream caches a size that may be outdated.
  const size = (): readonly [number, number] => (isTerminal(descriptor) ? stream().getWindowSize() : [0, 0])
  const onError = ({ code }: NodeJS.ErrnoException) => {
    way = 'broken'
    onBroken(code)
  }
  const writeStreamed = (bytes: Buffer) => {
    if (way === 'at-once') stream().on('error', onError)
    way = 'streamed'
    stream().write(bytes)
  }
  return withPinnedLines({
    write(text) {
      if (way === 'broken') return
      const bytes = Buffer.from(text)
      if (way === 'streamed') return writeStreamed(bytes)
      let written = 0
      try {
        while (written < bytes.byteLength) written += writeSync(descriptor, bytes, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') writeStreamed(bytes.subarray(written))
        else onError(error as NodeJS.ErrnoException)
      }
    },
    get isBroken() {
      return way === 'broken'
    },
    get isTerminal() {
      return isTerminal(descriptor)
    },
    get columns() {
      return size()[0]
    },
    get rows() {
      return size()[1]
    },
  })
}

/**
 * True where a descriptor is a terminal. `node:tty` brings sockets and streams with it, which takes longer than the check
 * of a manifest: it is loaded only for a device, not for a file or a pipe.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isDevice(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor)
    // `/dev/null` is a device but not a terminal.
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    // The descriptor was closed before the program started.
    return false
  }
}

/** Longer lines are hard to read. */
const maxTextColumns = 120

/** The width of text on a stream: 80 columns where it is no terminal, or one that does not know its width. */
export function chooseTextColumns({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal && columns > 0 ? Math.min(columns, maxTextColumns) : defaultColumns
}

/** Begins and ends a synchronized update, which other terminals ignore. */
const together = ['\x1b[?2026h', '\x1b[?2026l'] as const
/** Line by line: some terminals keep a screen that is erased as a whole in their history. */
const eraseLineAbove = '\x1b[1A\x1b[2K'

/** Hides the pinned lines while the process is suspended. Both functions return their undo. */
type WatchSuspension = (hide: () => () => void) => () => void

/**
 * On Ctrl-Z the pinned lines are erased before the process really stops, since the shell writes below them, and drawn again
 * once it continues.
 */
const watchSuspension: WatchSuspension = hide => {
  const suspend = () => {
    const showAgain = hide()
    process.off('SIGTSTP', suspend)
    process.once('SIGCONT', () => {
      process.on('SIGTSTP', suspend)
      showAgain()
    })
    process.kill(process.pid, 'SIGTSTP')
  }
  process.on('SIGTSTP', suspend)
  return () => process.off('SIGTSTP', suspend)
}

/**
 * A stream that can keep lines below all that is written to it. Old and new ones are written in one piece, so that
 * nothing flickers, and the cursor is never hidden, so that there is nothing to restore however the process ends.
 */
export function withPinnedLines(
  output: Omit<Output, 'print' | 'pin' | 'unpin'>,
  watch: WatchSuspension = watchSuspension,
): Output {
  let pinned: readonly string[] = []
  let isLineOpen = false
  let stopWatching: (() => void) | undefined
  const hide = () => {
    const hidden = pinned
    show('', [])
    return () => show('', hidden)
  }
  const watchWhilePinned = () => {
    if (pinned.length > 0) stopWatching ??= watch(hide)
    else {
      stopWatching?.()
      stopWatching = undefined
    }
  }
  const show = (text: string, lines: readonly string[]) => {
    // A terminal shows the keys that it was sent, such as ^Z, on the line of the cursor.
    const erased = `\r\x1b[2K${eraseLineAbove.repeat(countRows(pinned, output.columns))}`
    const above = text === '' || text.endsWith('\n') ? text : `${text}\n`
    pinned = lines
    output.write(`${together[0]}${erased}${above}${lines.map(line => `${line}\n`).join('')}${together[1]}`)
  }
  const write = (text: string) => {
    if (pinned.length === 0) {
      output.write(text)
      if (text !== '') isLineOpen = !text.endsWith('\n')
    } else if (text !== '') show(text, pinned)
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
    write,
    print: text => write(wrapLines(output.isTerminal ? revealWords(text) : text, chooseTextColumns(output))),
    pin(hidden) {
      const lines = hidden.map(revealWords)
      if (pinned.length === 0 && lines.length === 0) return
      if (isLineOpen) output.write('\n')
      isLineOpen = false
      show('', lines)
      watchWhilePinned()
    },
    unpin() {
      pinned = []
      watchWhilePinned()
    },
  }
}

/** Shows the words of a site that events, reports, state and logs only have as a mark. */
export function revealWords(text: string): string {
  return reveal(text, words => display(words, 500))
}

/** Counts the rows of lines after the terminal got narrower: it breaks those that do not fit any more. */
function countRows(lines: readonly string[], columns: number): number {
  if (columns < 1) return lines.length
  return lines.reduce((rows, line) => {
    const width = countColumns(stripVTControlCharacters(line))
    return rows + Math.max(1, Math.ceil(width / columns))
  }, 0)
}
