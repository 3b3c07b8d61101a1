import { inPool } from '../../apply/fleet/in-pool.js'
import type { Plan } from '../../plan/plan.js'
import { formatDiagnostics } from '../../report/findings/diagnostics-text.js'
import type { SitePlan } from '../../report/fleet/fleet-plans.js'
import type { Host } from '../host.js'
import type { Made } from '../plan/make-plan.js'
import type { Session } from '../site/session.js'
import { type ColorChoice, type Failure, fail, paintFor } from '../terminal/output.js'
import { contained } from './contained.js'
import { closeOpened, type Member } from './open-fleet.js'
import { labelled, siteHost } from './site-host.js'

/** One of many sites with the plan for it, or the reason why none may be performed. */
export interface PlannedMember<S> extends Omit<SitePlan, 'wave' | 'failure'> {
  readonly session?: S
  readonly failure?: Failure
}

interface Planning<S> {
  readonly concurrency: number
  readonly color: ColorChoice
  readonly signal: AbortSignal
  plan(session: S, host: Host): Promise<Made>
  /** Why a plan that could be made may not be performed. */
  refusalOf(plan: Plan, session: S): Failure | undefined
}

/** Plans for many sites. What goes wrong with one is said with its name, and is its reason; its session is closed. */
export async function planMembers<S extends Session>(
  members: readonly Member<S>[],
  host: Host,
  planning: Planning<S>,
): Promise<readonly PlannedMember<S>[]> {
  const { concurrency, color, signal, plan, refusalOf } = planning
  const work = async ({ site, file, opened }: Member<S>): Promise<PlannedMember<S>> => {
    const at = siteHost(host, line => host.stderr.write(labelled(site, line)))
    const url = opened.ok ? opened.value.url : null
    const { linesOf } = opened.ok ? opened.value : opened.error
    const failed = async (failure: Failure, made?: Plan): Promise<PlannedMember<S>> => {
      // An interrupt is said once, and not of each site.
      if (!signal.aborted) await fail(at, failure, { targets: [], color, linesOf })
      await closeOpened(opened)
      return { site, file, url, failure, ...(made !== undefined && { plan: made }) }
    }
    return contained(async () => {
      if (!opened.ok) return failed(opened.error.failure)
      const { value: session } = opened
      const made = await plan(session, at)
      if (!made.ok) return failed(made.error)
      if (made.value.warnings.length > 0)
        at.stderr.write(formatDiagnostics(made.value.warnings, { linesOf, paint: paintFor('stderr', color) }))
      const blocked = refusalOf(made.value.plan, session)
      if (blocked !== undefined) return failed(blocked, made.value.plan)
      return { site, file, url, session, plan: made.value.plan }
    }, failed)
  }
  const planned = await inPool(members, { concurrency, goesOn: () => !signal.aborted }, work)
  return planned.filter(one => one !== undefined)
}
