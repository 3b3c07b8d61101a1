import { closeSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../apply/clock.js'
import type { ApplyEvent } from '../../apply/generated/event.js'
import { display, displayJson } from '../../report/display.js'
import { describeChange, describeEvent, eventDocument } from '../../report/events.js'
import { emptyView, formatView, updateView } from '../../report/live-view.js'
import { formatClock } from '../../report/phrase.js'
import type { Paint } from '../../report/terminal.js'
import type { Host } from '../host.js'

/** Shows a stream of events as it happens. */
export interface ProgressView {
  show(event: ApplyEvent): void
  /** Announces the length of the next pause. */
  pausing?(milliseconds: number): void
  end(): void
}

/** Wraps a clock to report the planned length of each sleep to the progress views. */
export function observeSleeps(clock: Clock, watching: readonly ProgressView[]): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep(milliseconds, signal) {
      for (const one of watching) one.pausing?.(milliseconds)
      return clock.sleep(milliseconds, signal)
    },
  }
}

/** Writes events to a file, one JSON object per line. */
export function eventFile(host: Host, path: string): ProgressView {
  const { write, end } = lineFile(host, path)
  return { ...eventLines(host, write), end }
}

/** A file to which lines are appended. */
export interface LineFile {
  write(text: string): void
  end(): void
}

/** Opens a file for the events of a run on one or several sites. */
export function lineFile(host: Host, path: string): LineFile {
  const file = openSync(path, 'w', 0o644)
  let broken = false
  return {
    write(text) {
      // A full disk must not end an apply; it is reported once.
      try {
        if (!broken) writeSync(file, text)
      } catch {
        broken = true
        host.stderr.print(`warning: ${display(path)} cannot be written any more; its events are incomplete\n`)
      }
    },
    end: () => closeSync(file),
  }
}

/** Writes events as JSON, one object per line; each line also gets the members of `about`. */
export function eventLines(host: Host, write: (text: string) => void, about: object = {}): ProgressView {
  return {
    show: event =>
      write(`${displayJson(JSON.stringify({ ...eventDocument(event, host.clock.now()), ...about }))}\n`),
    end: () => undefined,
  }
}

/** Runs a stream to its end, shows each event, and returns the result of the stream. */
export async function drain<E, R>(stream: AsyncGenerator<E, R>, show: (event: E) => unknown): Promise<R> {
  try {
    for (;;) {
      const step = await stream.next()
      if (step.done === true) return step.value
      await show(step.value)
    }
  } finally {
    // If `show` throws, the stream still cleans up.
    await stream.return(undefined as never)
  }
}

/** A narrower table breaks. The width is 0 if it is unknown, and then the output may not be a real terminal. */
const minColumns = 40

/** Tests whether lines can be redrawn in place. */
export function canRedraw({ stderr, environment }: Host): boolean {
  return stderr.isTerminal && stderr.columns >= minColumns && environment['CI'] === undefined
}

/** The host that shows progress, and the site. */
interface Shown {
  /** For several sites, a host that labels each line. */
  readonly host: Host
  readonly process?: Host
  readonly site?: string
  /** True if there are more sites than a person can follow. */
  readonly isBrief?: boolean
}

/** Creates the view that suits the stream: live on a terminal, lines elsewhere, in CI and for several sites. */
export function createProgress(
  choice: 'auto' | 'live' | 'lines' | 'json',
  { host, process = host, site, isBrief = false }: Shown,
  { paint, quiet }: { readonly paint: Paint; readonly quiet: boolean },
): ProgressView {
  if (choice === 'json')
    return eventLines(process, text => process.stderr.write(text), site === undefined ? {} : { site })
  const isLive = choice === 'live' || (choice === 'auto' && canRedraw(host) && !quiet)
  if (isLive && host.stderr.isTerminal) return liveTable(host, paint)
  // CI systems cannot fold steps that overlap, such as those of several sites: an empty environment has no folds.
  const detail = quiet ? 'urgent' : isBrief && choice === 'auto' ? 'brief' : 'all'
  return plainLines(site === undefined ? host : { ...host, environment: {} }, detail)
}

/** Events that the table itself shows; every other event is printed above it. */
const inTable: readonly string[] = ['stages-changed', 'site-said', 'heartbeat', 'stream-finished']

/** Shows a table of the stages below all other output. */
function liveTable(host: Host, paint: Paint): ProgressView {
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedMs
  let view = emptyView
  const lines = () => formatView(view, elapsedMs(), { paint, columns: stderr.columns, rows: stderr.rows })
  const redraw = () => stderr.pin(lines())
  const stop = host.every(1000, redraw)
  return {
    show(event) {
      view = updateView(view, event, elapsedMs())
      if (!inTable.includes(event.type)) stderr.print(`${describeEvent(event)}\n`)
      redraw()
    },
    pausing(milliseconds) {
      view = { ...view, nextPollMs: elapsedMs() + milliseconds }
      redraw()
    },
    end() {
      stop()
      const { nextPollMs: _, endMs: __, ...rest } = view
      view = rest
      redraw()
      stderr.unpin()
    },
  }
}

/** Some CI systems end a job that is silent for longer. More than the pause between heartbeats; of many sites, others print. */
const silenceMs = { all: 31_000, brief: 5 * 60_000 } as const

/** `brief` prints that a site starts, waits or warns; `urgent` prints failures. */
type Detail = 'all' | 'brief' | 'urgent'

/** Events that are printed even with `--quiet`. */
const urgentEvents: readonly string[] = [
  'intent-not-noted',
  'outcome-unknown',
  'observation-failed',
  'stage-stalled',
] satisfies ApplyEvent['type'][]

function isShown(event: ApplyEvent, detail: Detail): boolean {
  const { type } = event
  if (type === 'stream-finished') return false
  if (detail === 'all' || urgentEvents.includes(type)) return true
  if (detail === 'urgent') return false
  if (type === 'action-started') return event.change !== 'no-op'
  if (type === 'site-said') return event.warnings.length > 0
  if (type === 'site-locked') return event.former !== undefined
  return type === 'configure-accepted' || type === 'anomaly' || type === 'user-type-unlisted'
}

/** Prints one line per change, with the time since the start; the caller prints the end. */
export function plainLines(host: Host, detail: Detail): ProgressView {
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const folds = detail === 'all' ? stepFolds(host) : undefined
  let printedMs = startedMs
  const say = (line: string) => {
    printedMs = clock.monotonicMs()
    // The time comes before texts of the service, because CI systems read commands at the beginning of a line.
    stderr.print(`${formatClock(printedMs - startedMs)} ${line}\n`)
  }
  const stop = host.every(1000, () => {
    if (detail !== 'urgent' && clock.monotonicMs() - printedMs >= silenceMs[detail])
      say('still waiting for a response')
  })
  return {
    show(event) {
      folds?.before(event)
      const isChange = event.type === 'stages-changed' && event.changed.length > 0
      const lines = isChange ? event.changed.map(describeChange) : [describeEvent(event)]
      if (isShown(event, detail)) for (const line of lines) say(line)
      folds?.after(event)
    },
    end() {
      stop()
      folds?.close()
    },
  }
}

/** Folds the lines of each step in the log of a CI system. */
function stepFolds({ environment, stderr, clock }: Host) {
  const marks = selectMarks(environment, () => Math.floor(clock.now() / 1000))
  if (marks === undefined) return undefined
  let open: string | undefined
  // Errors must not be folded away.
  const close = () => {
    if (open !== undefined) stderr.write(marks.end(open))
    open = undefined
  }
  return {
    before(event: ApplyEvent) {
      if (event.type === 'stream-finished') close()
      if (event.type !== 'action-started') return
      close()
      open = event.operation
      stderr.write(marks.begin(open))
    },
    after(event: ApplyEvent) {
      if (event.type === 'action-finished') close()
    },
    close,
  }
}

/**
 * Selects the marks around the lines of a step: the group commands of GitHub's runner, or the section markers of
 * GitLab's. They contain only text of Landform.
 */
function selectMarks(environment: Host['environment'], seconds: () => number) {
  if (environment['GITHUB_ACTIONS'] === 'true')
    return { begin: (step: string) => `::group::${step}\n`, end: () => '::endgroup::\n' }
  if (environment['GITLAB_CI'] !== 'true') return undefined
  const mark = (which: string, step: string) =>
    `\x1b[0Ksection_${which}:${seconds()}:landform_${step}\r\x1b[0K`
  return {
    begin: (step: string) => `${mark('start', step)}${step}\n`,
    end: (step: string) => `${mark('end', step)}\n`,
  }
}
