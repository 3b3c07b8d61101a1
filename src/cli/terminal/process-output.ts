import { fstatSync, statSync, writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { reveal } from '../../client/redact/withheld.js'
import { display } from '../../report/display.js'
import { countColumns, defaultColumns, wrapLines } from '../../report/terminal.js'
import type { Output } from '../host.js'

/**
 * Creates a stream of the process with synchronous writes: no output is lost however the process ends, and there is no
 * setup time. If the reader does not keep up, Node's own stream takes over and waits for it. `onBroken` receives the
 * error code once writing is no longer possible.
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
 * Tests whether a descriptor is a terminal. Loads `node:tty` only for a device, not for a file or a pipe: its sockets
 * and streams take longer to load than a manifest to check.
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

/** Chooses the width of text on a stream: 80 columns, unless it is a terminal with a known width. */
export function chooseTextColumns({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal && columns > 0 ? Math.min(columns, maxTextColumns) : defaultColumns
}

/** Begins and ends a synchronized update. Terminals without this feature ignore both. */
const together = ['\x1b[?2026h', '\x1b[?2026l'] as const
/** Erases line by line: some terminals add a screen that is erased as a whole to their history. */
const eraseLineAbove = '\x1b[1A\x1b[2K'

/** Hides the pinned lines while the process is suspended. Both functions return a function that undoes them. */
type WatchSuspension = (hide: () => () => void) => () => void

/** On Ctrl-Z, erases the pinned lines before the process stops, since the shell writes below them; then redraws them. */
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
 * Adds pinned lines to a stream, which stay below all other output. Each update is a single write, so nothing flickers.
 * The cursor is never hidden, so nothing has to be restored however the process ends.
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
    // The terminal echoes keys, such as ^Z, on the line of the cursor.
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

/** Replaces placeholders by the withheld text of the site, which only terminals show. */
export function revealWords(text: string): string {
  return reveal(text, words => display(words, 500))
}

/** Counts the rows that lines take. A terminal that became narrower breaks lines that no longer fit. */
function countRows(lines: readonly string[], columns: number): number {
  if (columns < 1) return lines.length
  return lines.reduce((rows, line) => {
    const width = countColumns(stripVTControlCharacters(line))
    return rows + Math.max(1, Math.ceil(width / columns))
  }, 0)
}
