import { closeSync, openSync, writeSync } from 'node:fs'
import { createLogUpdate } from 'log-update'
import type { ApplyEvent } from '../apply/event.js'
import { display, displayJson } from '../report/display.js'
import { formatClock } from '../report/duration.js'
import { describeChange, describeEvent, eventDocument } from '../report/event-text.js'
import { formatView, type LiveView, nextView } from '../report/live-view.js'
import type { Paint } from '../report/paint.js'
import type { Host } from './host.js'

/** Shows a stream of events as it happens. */
export interface Progress {
  show(event: ApplyEvent): void
  end(): void
}

export type ProgressChoice = 'auto' | 'live' | 'lines' | 'json'

/** Narrower than this a table breaks, and a terminal that does not know its width may be none. */
const leastColumns = 40

/** True where lines can be drawn anew in place. */
export function canRedraw({ stderr, environment }: Host): boolean {
  return stderr.isTerminal && stderr.columns >= leastColumns && environment['CI'] === undefined
}

/** The renderer that suits the stream: a live view on a terminal, lines elsewhere and in CI. */
export function progressFor(choice: ProgressChoice, host: Host, paint: Paint, quiet: boolean): Progress {
  const { stderr } = host
  if (choice === 'json') return jsonLines(host, text => stderr.write(text))
  if (choice === 'live' || (choice === 'auto' && canRedraw(host) && !quiet)) return liveTable(host, paint)
  return lines(host, quiet)
}

/** Writes events to a file, one JSON object a line. */
export function eventFile(host: Host, path: string): Progress {
  const file = openSync(path, 'w', 0o644)
  let broken = false
  const { show } = jsonLines(host, text => {
    // A full disk must not end an apply; it is told once.
    try {
      if (!broken) writeSync(file, text)
    } catch {
      broken = true
      host.stderr.write(`warning: ${display(path)} cannot be written any more; its events are incomplete\n`)
    }
  })
  return { show, end: () => closeSync(file) }
}

function jsonLines(host: Host, write: (text: string) => void): Progress {
  return {
    show: event => write(`${displayJson(JSON.stringify(eventDocument(event, host.clock.now())))}\n`),
    end: () => undefined,
  }
}

/** One line a change, with the time since the start; quiet leaves out all but trouble and the end. */
function lines(host: Host, quiet: boolean): Progress {
  const startedMs = host.clock.monotonicMs()
  return {
    show(event) {
      if (event.type === 'stream-finished') return
      if (quiet && event.type !== 'outcome-unknown' && event.type !== 'observation-failed') return
      const time = formatClock(host.clock.monotonicMs() - startedMs)
      for (const line of linesOf(event)) host.stderr.write(`${time} ${line}\n`)
    },
    end: () => undefined,
  }
}

function linesOf(event: ApplyEvent): readonly string[] {
  return event.type === 'stages-changed' && event.changed.length > 0
    ? event.changed.map(describeChange)
    : [describeEvent(event)]
}

/** A table of the stages that is drawn anew in place; other events scroll by above it. */
function liveTable(host: Host, paint: Paint): Progress {
  const draw = createLogUpdate(process.stderr)
  const startedMs = host.clock.monotonicMs()
  let view: LiveView = { stages: [] }
  const redraw = () => {
    const screen = { paint, columns: host.stderr.columns }
    draw(formatView(view, host.clock.monotonicMs() - startedMs, screen))
  }
  const ticking = setInterval(redraw, 1000)
  ticking.unref()
  return {
    show(event) {
      view = nextView(view, event)
      const scrolls = !['stages-changed', 'heartbeat', 'stream-finished'].includes(event.type)
      if (scrolls) {
        draw.clear()
        host.stderr.write(`${describeEvent(event)}\n`)
      }
      redraw()
    },
    end() {
      clearInterval(ticking)
      redraw()
      draw.done()
    },
  }
}
