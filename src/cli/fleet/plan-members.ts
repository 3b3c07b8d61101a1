import { type Plan, sendsRequests } from '../../plan/plan.js'
import { formatDiagnostics } from '../../report/findings-text.js'
import { formatPlans, type SitePlan } from '../../report/fleet.js'
import { formatNumber } from '../../report/phrase.js'
import { formatPlan, type PlanView } from '../../report/plan-text.js'
import type { Paint } from '../../report/terminal.js'
import type { Host, Output } from '../host.js'
import type { ReportTarget } from '../options.js'
import { applying } from '../site/consent.js'
import type { ApplyArguments, PlannedSession, PlanResult, SiteSession } from '../site/session.js'
import { confirm, type StopSignal } from '../terminal/interaction.js'
import { type ColorChoice, type Failure, fail, paintFor } from '../terminal/output.js'
import { closeOpened, type Member, type OpenSite } from './open-fleet.js'
import { labelLine, runInPool, siteHost, withErrorBoundary } from './site-host.js'

/** One of many sites with the plan for it, or the reason why none may be performed. */
export interface PlannedMember<S> extends Omit<SitePlan, 'failure'> {
  readonly opened?: OpenSite<S>
  readonly failure?: Failure
}

/** A site that can be performed. */
export type ReadyMember = PlannedMember<PlannedSession> & {
  readonly opened: OpenSite<PlannedSession>
  readonly plan: Plan
}

interface Planning<S> {
  readonly concurrency: number
  readonly color: ColorChoice
  readonly signal: AbortSignal
  /** True to perform the plans afterwards; otherwise each site is closed once it has its plan. */
  readonly keepOpen: boolean
  plan(session: S, host: Host): Promise<PlanResult>
  /** Returns the failure that forbids to perform a plan. */
  findBlocker(plan: Plan, session: S): Failure | undefined
}

/** Plans for many sites. A failure is printed with the name of its site, and closes the session. */
export async function planMembers<S extends SiteSession>(
  members: readonly Member<S>[],
  host: Host,
  planning: Planning<S>,
): Promise<readonly PlannedMember<S>[]> {
  const { concurrency, color, signal, keepOpen, plan, findBlocker } = planning
  const work = async ({ site, file, url, opened }: Member<S>): Promise<PlannedMember<S>> => {
    const at = siteHost(host, line => host.stderr.print(labelLine(site, line)))
    const { readLines } = opened.ok ? opened.value.session() : opened.error
    const reject = async (failure: Failure, made?: Plan): Promise<PlannedMember<S>> => {
      // An interrupt is reported once, not for each site.
      if (!signal.aborted) await fail(at, failure, { color, readLines, sent: 'nothing' })
      await closeOpened(opened)
      return { site, file, url, failure, ...(made !== undefined && { plan: made }) }
    }
    return withErrorBoundary(async () => {
      if (!opened.ok) return reject(opened.error.failure)
      const session = opened.value.session()
      const made = await plan(session, at)
      if (!made.ok) return reject(made.error)
      if (made.value.warnings.length > 0)
        at.stderr.print(
          formatDiagnostics(made.value.warnings, {
            readLines: session.readLines,
            paint: paintFor('stderr', color),
          }),
        )
      const blocked = findBlocker(made.value.plan, session)
      if (blocked !== undefined) return reject(blocked, made.value.plan)
      if (keepOpen) return { site, file, url, opened: opened.value, plan: made.value.plan }
      await closeOpened(opened)
      const { plan: reviewed, unchecked } = made.value
      return { site, file, url, plan: reviewed, ...(unchecked && { unchecked }) }
    }, reject)
  }
  const planned = await runInPool(members, { concurrency, goesOn: () => !signal.aborted }, work)
  return planned.filter(one => one !== undefined)
}

/** Above this number only totals are shown; `landform plan` shows each plan. */
const maxWhole = 10

interface Review {
  readonly planned: readonly PlannedMember<PlannedSession>[]
  readonly ready: readonly ReadyMember[]
  readonly targets: readonly ReportTarget<string>[]
  readonly stop: StopSignal
}

/** Shows the plans of all sites and asks a person once; returns a failure without consent. */
export async function reviewPlans(
  { planned, ready, targets, stop }: Review,
  argv: Pick<ApplyArguments, 'yes' | 'emulate' | 'no-input' | 'color'>,
  host: Host,
): Promise<Failure | undefined> {
  const toStdout = targets.some(({ format, file }) => format === 'text' && file === undefined)
  if (toStdout) writeAll(host.stdout, reviewTexts(planned, paintFor('stdout', argv.color)))
  // Plans are always shown before a person is asked to confirm them.
  else if (host.isInteractive) writeAll(host.stderr, reviewTexts(planned, paintFor('stderr', argv.color)))
  // A saved plan was confirmed when it was reviewed.
  const asked = ready.filter(one => one.opened.session().saved === undefined && sendsRequests(one.plan))
  if (argv.emulate || asked.length === 0) return undefined
  const creates = ready.filter(({ plan }) => plan.actions.some(({ change }) => change === 'create')).length
  const warning = creates === 0 ? '' : ` Creating ${formatNumber(creates, 'organization')} cannot be undone.`
  const question = `Apply the plans of ${formatNumber(ready.length, 'site')}?${warning}`
  return confirm(host, argv, { ...applying, question, review: 'review the plans', stop })
}

function reviewTexts(plans: readonly SitePlan[], paint: Paint): Iterable<string> {
  return plans.length > maxWhole ? [`${formatPlans(plans, paint)}\n`] : [...planTexts(plans, paint), '\n']
}

/** Each plan, then what they come to; text by text, so that not all are kept. */
export function* planTexts(plans: readonly SitePlan[], paint: Paint, view: PlanView = {}): Generator<string> {
  for (const { plan, unchecked } of plans)
    if (plan !== undefined) yield `${formatPlan(plan, paint, { ...view, unchecked })}\n`
  yield formatPlans(plans, paint)
}

/** Writes texts one after the other. */
export function writeAll(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.print(text)
}
