import { writeSync } from 'node:fs'
import type { Output } from '../host.js'
import { isTerminal } from './is-terminal.js'
import { pinnedOutput } from './pinned-output.js'

/**
 * A stream of the process that is written at once, so that nothing is lost however the process ends, and that costs
 * nothing to make ready. Where the other side does not keep up, Node's own stream takes over and waits for it.
 * `onBroken` is told the code of the error when nothing can be written any more.
 */
export function processOutput(descriptor: 1 | 2, onBroken: (code: string | undefined) => void): Output {
  let way: 'at-once' | 'streamed' | 'broken' = 'at-once'
  const stream = () => (descriptor === 1 ? process.stdout : process.stderr)
  // Asked anew each time: what the stream remembers is of before a change that it was not told yet.
  const size = (): readonly [number, number] => (isTerminal(descriptor) ? stream().getWindowSize() : [0, 0])
  const broken = ({ code }: NodeJS.ErrnoException) => {
    way = 'broken'
    onBroken(code)
  }
  const streamed = (bytes: Buffer) => {
    if (way === 'at-once') stream().on('error', broken)
    way = 'streamed'
    stream().write(bytes)
  }
  return pinnedOutput({
    write(text) {
      if (way === 'broken') return
      const bytes = Buffer.from(text)
      if (way === 'streamed') return streamed(bytes)
      let written = 0
      try {
        while (written < bytes.byteLength) written += writeSync(descriptor, bytes, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') streamed(bytes.subarray(written))
        else broken(error as NodeJS.ErrnoException)
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
