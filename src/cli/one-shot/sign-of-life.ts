import { createLogUpdate } from 'log-update'
import { formatClock, formatDuration } from '../../report/duration.js'
import type { Host } from '../host.js'
import { canRedraw } from '../progress.js'

const lineMs = 30_000
const redrawMs = 1000

/** Says on stderr that a long request is under way, and that it still is. Returns how to end it. */
export function signOfLife(host: Host, what: string, quiet: boolean): () => void {
  if (quiet) return () => undefined
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedMs
  if (canRedraw(host)) {
    const draw = createLogUpdate(process.stderr, { showCursor: true })
    const redraw = () => draw(`${formatDuration(elapsedMs())}  ${what}`.slice(0, stderr.columns - 1))
    redraw()
    const stop = host.every(redrawMs, redraw)
    return () => {
      stop()
      draw.clear()
    }
  }
  stderr.write(`${formatClock(0)} ${what}\n`)
  return host.every(lineMs, () => stderr.write(`${formatClock(elapsedMs())} still waiting: ${what}\n`))
}
