import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Plan } from '../plan/plan.js'
import { type Obstacle, plan } from '../plan/planner.js'
import { display } from '../report/display.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'
import type { Session } from './session.js'
import { gather, type PlanOptions } from './situation.js'

export type Made =
  | { readonly ok: true; readonly plan: Plan; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly failure: Failure }

/** Gathers what there is, and plans. Only ever reads. */
export async function makePlan(session: Session, host: Host, options: PlanOptions): Promise<Made> {
  const gathered = await gather(session, host, options)
  if (!gathered.ok) return gathered
  const planned = plan(gathered.situation)
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
