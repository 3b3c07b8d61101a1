import type { Paint } from '../../report/paint.js'
import type { Host } from '../host.js'
import { eventLines } from './event-lines.js'
import { liveTable } from './live-table.js'
import { plainLines } from './plain-lines.js'
import type { Progress } from './watched-clock.js'

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
  if (choice === 'json') return eventLines(host, text => stderr.write(text))
  const isLive = choice === 'live' || (choice === 'auto' && canRedraw(host) && !quiet)
  return isLive && stderr.isTerminal ? liveTable(host, paint) : plainLines(host, quiet)
}
