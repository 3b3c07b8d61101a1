import { clipped } from '../../report/columns.js'
import { formatClock, formatDuration } from '../../report/duration.js'
import type { Host } from '../host.js'
import { canRedraw } from '../terminal/progress.js'

const lineMs = 30_000
const redrawMs = 1000

/**
 * Begins to say on stderr that a long request is under way: with a line that is drawn anew on a terminal, with one every
 * half minute elsewhere. Returns how to end it.
 */
export function signOfLife(host: Host, what: string, quiet: boolean): () => void {
  if (quiet) return () => undefined
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedMs
  if (canRedraw(host)) {
    const redraw = () => stderr.pin([clipped(`${formatDuration(elapsedMs())}  ${what}`, stderr.columns - 1)])
    redraw()
    const stop = host.every(redrawMs, redraw)
    return () => {
      stop()
      stderr.pin([])
    }
  }
  stderr.write(`${formatClock(0)} ${what}\n`)
  const stop = host.every(lineMs, () => stderr.write(`${formatClock(elapsedMs())} still waiting: ${what}\n`))
  return stop
}
