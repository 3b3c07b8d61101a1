import { formatFleetView, nextRunning, type RunningSite } from '../../report/fleet/live-fleet.js'
import type { Paint } from '../../report/paint.js'
import type { Host } from '../host.js'
import { eventLines } from '../terminal/event-lines.js'
import { plainLines } from '../terminal/plain-lines.js'
import { canRedraw, type ProgressChoice } from '../terminal/progress.js'
import type { Progress } from '../terminal/watched-clock.js'
import { labelled, siteHost } from './site-host.js'

/** Shows what happens at many sites at once. */
export interface Board {
  /** Writes one line about the whole run. */
  say(line: string): void
  /** The process as the work on one site sees it: what it writes begins with the name of the site. */
  hostOf(site: string): Host
  /** Shows the events of one site, from its beginning to its end. */
  progressOf(site: string): Progress
  end(): void
}

interface Wanted {
  readonly choice: ProgressChoice
  readonly paint: Paint
  readonly quiet: boolean
  /** How many sites there are. */
  readonly all: number
}

/** The board that suits the stream: a row for each site that runs on a terminal, lines elsewhere and in CI. */
export function boardFor(host: Host, wanted: Wanted): Board {
  const { choice, quiet } = wanted
  const isLive = choice === 'live' || (choice === 'auto' && canRedraw(host) && !quiet)
  if (isLive && host.stderr.isTerminal) return liveBoard(host, wanted)
  const hostOf = (site: string) => siteHost(host, line => host.stderr.write(labelled(site, line)))
  return {
    say: line => host.stderr.write(`${line}\n`),
    hostOf,
    progressOf: site =>
      choice === 'json'
        ? eventLines(host, text => host.stderr.write(text), { site })
        : // Folds of a CI system hold one step after the other, and here they overlap.
          plainLines({ ...hostOf(site), environment: {} }, quiet),
    end: () => undefined,
  }
}

function liveBoard(host: Host, { paint, all }: Wanted): Board {
  const { clock, stderr } = host
  const running = new Map<string, RunningSite>()
  let ended = 0
  const redraw = () =>
    stderr.pin(
      formatFleetView({ running, ended, all }, clock.monotonicMs(), {
        paint,
        columns: stderr.columns,
        rows: stderr.rows,
      }),
    )
  const stop = host.every(1000, redraw)
  return {
    say: line => stderr.write(`${line}\n`),
    hostOf: site => siteHost(host, line => stderr.write(labelled(site, line))),
    progressOf(site) {
      running.set(site, { startedMs: clock.monotonicMs(), words: '', stages: [] })
      redraw()
      return {
        show(event) {
          const now = running.get(site)
          if (now !== undefined) running.set(site, nextRunning(now, event))
          redraw()
        },
        end() {
          running.delete(site)
          ended += 1
          redraw()
        },
      }
    },
    end() {
      stop()
      stderr.pin([])
      stderr.unpin()
    },
  }
}
