import type { WaitOptions } from '../../apply/clock.js'
import { placed } from '../../manifest/field-places.js'
import type { Plan } from '../../plan/plan.js'
import { formatDiagnostics } from '../../report/findings/diagnostics-text.js'
import type { SiteResult } from '../../report/fleet/fleet-run.js'
import { describeEnding } from '../../report/outcome-text.js'
import { sentence } from '../../report/sentence.js'
import type { ExitCode } from '../exit-code.js'
import type { PlannedSession } from '../plan/planned-session.js'
import { type PerformArguments, performed } from '../site/performed.js'
import { eventLines, type LineFile } from '../terminal/event-lines.js'
import { type ColorChoice, type Failure, fail, paintFor } from '../terminal/output.js'
import type { StopSignal } from '../terminal/stop-signal.js'
import type { Board } from './board.js'
import { contained } from './contained.js'
import type { PlannedMember } from './plan-members.js'

/** A result with an exit code of the command line. */
export interface EndedSite extends SiteResult {
  readonly exitCode: ExitCode | null
}

/** What every site of a run is performed with. */
export interface FleetRunning {
  readonly argv: PerformArguments & { readonly color: ColorChoice }
  readonly board: Board
  readonly events: LineFile | undefined
  readonly stop: StopSignal
  patienceFor(pollMs: number): WaitOptions
}

/** A site that can be performed. */
export type ReadyMember = PlannedMember<PlannedSession> & {
  readonly session: PlannedSession
  readonly plan: Plan
}

/** Performs the plan of one site, says how it ended, and closes it. */
export async function performSite(
  { site, file, url, session, plan }: ReadyMember,
  wave: number,
  { argv, board, events, stop, patienceFor }: FleetRunning,
): Promise<EndedSite> {
  const { color } = argv
  const at = board.hostOf(site)
  const known = { site, file, url, wave }
  const work = async (): Promise<EndedSite> => {
    const progress = [
      board.progressOf(site),
      ...(events === undefined ? [] : [eventLines(at, events.write, { site })]),
    ]
    const how = { argv, progress, stop, patienceFor }
    const { receipt, exitCode, next } = await performed(plan, session, at, how)
    const { outcome, ...times } = receipt
    const diagnostics =
      outcome.kind === 'references' ? outcome.diagnostics.map(one => placed(session.manifest, one)) : []
    const message = describeEnding(outcome, plan)
    if (diagnostics.length > 0)
      at.stderr.write(
        formatDiagnostics(diagnostics, { linesOf: session.linesOf, paint: paintFor('stderr', color) }),
      )
    at.stderr.write(sentence(message))
    if (next !== '') at.stderr.write(`next: ${next}\n`)
    return {
      ...known,
      outcome: outcome.kind,
      exitCode,
      message,
      ...(next !== '' && { next }),
      ...times,
      diagnostics,
    }
  }
  const failed = async (failure: Failure): Promise<EndedSite> => {
    await fail(at, failure, { targets: [], color, linesOf: session.linesOf })
    const { exitCode, message } = failure
    return { ...known, outcome: 'internal', exitCode, message, diagnostics: [] }
  }
  try {
    return await contained(work, failed)
  } finally {
    await session.close()
  }
}
