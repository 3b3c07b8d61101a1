import { describeEvent } from '../../report/event-text.js'
import { emptyView, formatView, nextView } from '../../report/live-view.js'
import type { Paint } from '../../report/paint.js'
import type { Host } from '../host.js'
import type { Progress } from './watched-clock.js'

/** What the table itself shows; every other event scrolls by above it. */
const inTable: readonly string[] = ['stages-changed', 'site-said', 'heartbeat', 'stream-finished']

/** A table of the stages that stays below what happens, and below what others write meanwhile. */
export function liveTable(host: Host, paint: Paint): Progress {
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedMs
  let view = emptyView
  const lines = () => formatView(view, elapsedMs(), { paint, columns: stderr.columns, rows: stderr.rows })
  const redraw = () => stderr.pin(lines())
  const stop = host.every(1000, redraw)
  return {
    show(event) {
      view = nextView(view, event, elapsedMs())
      if (!inTable.includes(event.type)) stderr.write(`${describeEvent(event)}\n`)
      redraw()
    },
    pausing(milliseconds) {
      view = { ...view, nextLookMs: elapsedMs() + milliseconds }
      redraw()
    },
    end() {
      stop()
      const { nextLookMs: _, throughMs: __, ...rest } = view
      view = rest
      redraw()
      stderr.unpin()
    },
  }
}
