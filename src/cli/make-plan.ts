import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Plan } from '../plan/plan.js'
import { type Obstacle, plan } from '../plan/planner.js'
import { display } from '../report/display.js'
import { tool } from '../version.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { observe } from './observe.js'
import type { Failure } from './output.js'
import { referencesFailure, type Session } from './session.js'

export type Made =
  | { readonly ok: true; readonly plan: Plan; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly failure: Failure }

/** Binds the files, looks at the site, reads the record, and plans. Only ever reads. */
export async function makePlan(session: Session, host: Host, signal: AbortSignal): Promise<Made> {
  const { manifest, url, records } = session
  const bound = await session.bind()
  if (!bound.ok) return { ok: false, failure: referencesFailure(session, bound.diagnostics) }
  const looked = await observe(url, signal)
  if (!looked.ok) return looked
  const record = await records.read()
  if (!record.ok) {
    const { where, kind, reason } = record.failure
    const message = `the record ${where} is ${kind}: ${display(reason)}`
    return { ok: false, failure: { exitCode: exitCodes.state, message } }
  }
  const planned = plan({
    desired: manifest,
    observed: looked.observed,
    record: record.value,
    url,
    files: bound.digests,
    now: host.clock.now(),
    tool,
  })
  const warnings = [...session.warnings, ...planned.diagnostics]
  return planned.ok
    ? { ok: true, plan: planned.plan, warnings }
    : { ok: false, failure: { ...obstacleFailure(planned.obstacle), diagnostics: warnings } }
}

function obstacleFailure(obstacle: Obstacle): { exitCode: ExitCode; message: string; next: string } {
  switch (obstacle.kind) {
    case 'site-failed':
      return {
        exitCode: exitCodes.serviceFailed,
        message: `the service reports that the configuration failed: ${display(obstacle.observed.message ?? 'without a reason')}`,
        next: 'see the logs of the service; a failed configuration is taken back by undeploying',
      }
    case 'site-unrecognized':
      return {
        exitCode: exitCodes.unknown,
        message: `the site reports the state "${display(obstacle.observed.state)}", which is not documented, so nothing is planned`,
        next: 'look at the site itself; Landform does not guess what a state means',
      }
    case 'site-too-old':
      return {
        exitCode: exitCodes.stale,
        message: 'the site is older than fields of the manifest',
        next: 'remove the fields, or upgrade the site first',
      }
    default:
      return obstacle satisfies never
  }
}
