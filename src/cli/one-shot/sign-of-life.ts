import { createLogUpdate } from 'log-update'
import { formatClock, formatDuration } from '../../report/duration.js'
import type { Host } from '../host.js'
import { canRedraw } from '../progress.js'

const lineMs = 30_000
const redrawMs = 1000

/** What says on stderr that a long request is under way, and that it still is. */
export interface SignOfLife {
  /** Makes room for other words, which the next sign would overwrite. */
  hide(): void
  end(): void
}

const silent: SignOfLife = { hide: () => undefined, end: () => undefined }

/** Begins to show signs of life: a line that is drawn anew on a terminal, one every half minute elsewhere. */
export function signOfLife(host: Host, what: string, quiet: boolean): SignOfLife {
  if (quiet) return silent
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedMs
  if (canRedraw(host)) {
    const draw = createLogUpdate(process.stderr, { showCursor: true })
    const redraw = () => draw(`${formatDuration(elapsedMs())}  ${what}`.slice(0, stderr.columns - 1))
    redraw()
    const stop = host.every(redrawMs, redraw)
    const hide = () => draw.clear()
    return {
      hide,
      end() {
        stop()
        hide()
      },
    }
  }
  stderr.write(`${formatClock(0)} ${what}\n`)
  const stop = host.every(lineMs, () => stderr.write(`${formatClock(elapsedMs())} still waiting: ${what}\n`))
  return { ...silent, end: stop }
}
