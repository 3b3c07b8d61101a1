import type { WaitOptions } from '../../apply/clock.js'
import { addPlace } from '../../manifest/field-places.js'
import { type ExitCode, endStateByExitCode } from '../../report/exit-code.js'
import { formatDiagnostics } from '../../report/findings-text.js'
import type { SiteResult } from '../../report/fleet.js'
import { formatFleetView, type RunningSite, updateRunning } from '../../report/live-view.js'
import { formatNext } from '../../report/next-steps.js'
import { describeEnding, endStateOf, formatEnding } from '../../report/outcomes.js'
import type { Paint } from '../../report/terminal.js'
import type { Host } from '../host.js'
import { performSessionPlan } from '../site/perform-session-plan.js'
import type { ApplyArguments } from '../site/session.js'
import type { StopSignal } from '../terminal/interaction.js'
import { type Failure, fail, paintFor } from '../terminal/output.js'
import {
  canRedraw,
  eventLines,
  type LineFile,
  type ProgressChoice,
  type ProgressView,
  plainLines,
} from '../terminal/progress.js'
import type { ReadyMember } from './plan-members.js'
import { labelLine, siteHost, withErrorBoundary } from './site-host.js'

/** A result with an exit code of the command line. */
export interface EndedSite extends SiteResult {
  readonly exitCode: ExitCode | null
}

/** The settings that all sites of a run share. */
export interface FleetRunning {
  readonly argv: ApplyArguments
  readonly board: Board
  readonly events: LineFile | undefined
  readonly stop: StopSignal
  waitOptionsFor(pollMs: number): WaitOptions
}

/** Performs the plan of one site, prints the outcome, and closes the site. */
export async function performSite(
  { site, file, url, opened, plan }: ReadyMember,
  { argv, board, events, stop, waitOptionsFor }: FleetRunning,
): Promise<EndedSite> {
  const { color } = argv
  const at = board.hostFor(site)
  const known = { site, file, url }
  const session = opened.session()
  const work = async (): Promise<EndedSite> => {
    const progress = [
      board.progressFor(site),
      ...(events === undefined ? [] : [eventLines(at, events.write, { site })]),
    ]
    const how = { argv, progress, stop, waitOptionsFor }
    const { receipt, exitCode, next } = await performSessionPlan(plan, session, at, how)
    const { outcome, ...times } = receipt
    const diagnostics =
      outcome.kind === 'references' ? outcome.diagnostics.map(one => addPlace(session.manifest, one)) : []
    const message = describeEnding(outcome, plan)
    if (diagnostics.length > 0)
      at.stderr.print(
        formatDiagnostics(diagnostics, { readLines: session.readLines, paint: paintFor('stderr', color) }),
      )
    at.stderr.print(formatEnding(outcome, plan))
    if (next !== '') at.stderr.print(formatNext(next))
    return {
      ...known,
      outcome: outcome.kind,
      state: endStateOf(outcome, exitCode),
      exitCode,
      message,
      ...(next !== '' && { next }),
      ...times,
      diagnostics,
    }
  }
  const reportFailure = async (failure: Failure): Promise<EndedSite> => {
    await fail(at, failure, { color, readLines: session.readLines })
    const { exitCode, message } = failure
    const state = endStateByExitCode[exitCode]
    return { ...known, outcome: 'internal', state, exitCode, message, diagnostics: [] }
  }
  try {
    return await withErrorBoundary(work, reportFailure)
  } finally {
    await opened.close()
  }
}

/** Shows what happens at many sites at once. */
interface Board {
  /** Wraps the process for one site: each output line begins with the name of the site. */
  hostFor(site: string): Host
  /** Shows the events of one site, from its beginning to its end. */
  progressFor(site: string): ProgressView
  end(): void
}

interface Wanted {
  readonly choice: ProgressChoice
  readonly paint: Paint
  readonly quiet: boolean
  /** The number of sites. */
  readonly all: number
}

/** The board that suits the stream: a row for each site that runs on a terminal, lines elsewhere and in CI. */
export function createBoard(host: Host, wanted: Wanted): Board {
  const { choice, quiet } = wanted
  const isLive = choice === 'live' || (choice === 'auto' && canRedraw(host) && !quiet)
  if (isLive && host.stderr.isTerminal) return liveBoard(host, wanted)
  const hostFor = (site: string) => siteHost(host, line => host.stderr.print(labelLine(site, line)))
  return {
    hostFor: hostFor,
    progressFor: site =>
      choice === 'json'
        ? eventLines(host, text => host.stderr.write(text), { site })
        : // Folds of a CI system hold one step after the other, and here they overlap.
          plainLines({ ...hostFor(site), environment: {} }, quiet),
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
    hostFor: site => siteHost(host, line => stderr.print(labelLine(site, line))),
    progressFor(site) {
      running.set(site, { startedMs: clock.monotonicMs(), words: '', stages: [] })
      redraw()
      return {
        show(event) {
          const now = running.get(site)
          if (now !== undefined) running.set(site, updateRunning(now, event))
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
