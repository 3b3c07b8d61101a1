import { hasChanges, type Plan, sendsRequests } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { display } from '../../report/display.js'
import { describeEnding, endOfApply, formatEnding } from '../../report/endings/apply.js'
import { receiptDocument } from '../../report/events.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatNumber, formatSentence } from '../../report/phrase.js'
import { formatPlan } from '../../report/plan-text.js'
import { describeDecision, listActions } from '../../report/plan-words.js'
import { groupPlan, suggestRerun } from '../../report/sites.js'
import { formatNext } from '../../report/terminal.js'
import { type Chosen, parseConcurrency } from '../check/expand-files.js'
import type { Host } from '../host.js'
import type { ReportTarget } from '../options.js'
import { openPlanned, openSaved } from '../plan/planned-session.js'
import { planEnding } from '../plan/saved-plan-file.js'
import { confirm, type StopSignal, stopSignal } from '../terminal/interaction.js'
import { type Failure, paintFor, writeAll } from '../terminal/output.js'
import { createProgress, eventLines, type LineFile, lineFile } from '../terminal/progress.js'
import { adviseOnSecrets, applying, describeRejection, findVeto } from './consent.js'
import {
  type EndedSite,
  formatTexts,
  manyFormats,
  maxDetailed,
  reportSites,
  type SiteJob,
  toJobs,
  workOnSites,
} from './many-sites.js'
import { holdSession, withSites } from './open-sites.js'
import { type ApplyRequest, listReferences, performSessionPlan, planToApply } from './perform-session-plan.js'
import type { ApplyArguments, ApplySurroundings, PlannedSession, PlanResult } from './session.js'
import { type Done, failed, type ReportView, type WorkContext } from './site-command.js'

/** Plans for many sites, asks once, and performs the plans like saved ones, several at once. */
export async function applyToSites(
  asked: ApplyRequest,
  host: Host,
  chosen: Chosen & { readonly kind: 'many' },
): Promise<ExitCode> {
  const { argv } = asked
  if (argv.manifest !== undefined) throw new UsageError('--manifest names the manifest of one saved plan')
  if (chosen.candidates.some(({ file }) => file === '-'))
    throw new UsageError('- is standard input, which is read once; name the files of several sites')
  const concurrency = parseConcurrency(argv.concurrency)
  return withSites(argv, host, {
    formats: manyFormats,
    chosen,
    recognizes: file => file.endsWith(planEnding),
    open: (file, at) => openPlanned({ ...argv, file }, at),
    async work({ members, targets, refuse }) {
      const stop = stopSignal(host)
      const events = argv.events === undefined ? undefined : lineFile(host, argv.events)
      try {
        const pool = { concurrency, stop, argv, host }
        const review = (session: PlannedSession, context: WorkContext) => reviewSite(session, context, asked)
        const reviewed = await workOnSites(toJobs(members), pool, review)
        if (stop.signal.aborted) return await refuse({ exitCode: stop.exitCode(), message: 'interrupted' })
        const ready = reviewed.flatMap(one => ('plan' in one.done ? { ...one, done: one.done } : []))
        showPlans(reviewed, targets, { argv, host })
        const declined = await confirmPlans(ready, stop, { argv, host })
        if (declined !== undefined) return await refuse(declined)
        const saidYes = !argv.yes
        const jobs = ready.flatMap(({ done, ...named }) =>
          done.isSaved || hasChanges(done.plan) ? { ...named, open: reopen(named.file, done, argv) } : [],
        )
        const performed = await workOnSites(jobs, pool, (session, context) =>
          performSite(session, context, { asked, events, saidYes }),
        )
        const endings = new Map(performed.map(one => [one.file, one]))
        const ended = reviewed.map(one => endings.get(one.file) ?? one)
        const view = { kind: 'apply', column: 'exit', showsEach: false } as const
        const exitCode = await reportSites(ended, { targets, view, argv, host })
        const hasSavedPlans = ready.some(({ done }) => done.isSaved)
        const next = suggestRerun(
          ended.map(({ done }) => done),
          hasSavedPlans,
        )
        host.stderr.print(formatNext(next))
        return exitCode
      } finally {
        events?.end()
        stop.forget()
      }
    },
  })
}

/** One of several sites whose plan can be performed. */
interface Reviewed extends Done<'text' | 'json'> {
  readonly plan: Plan
  /** True for a plan from a file, which a person has reviewed. */
  readonly isSaved: boolean
  /** The warning about an earlier rejection. */
  readonly rejection?: string | undefined
}

/** Makes the plan of one of several sites. A saved plan is compared with its site only when it is performed. */
async function reviewSite(
  session: PlannedSession,
  context: WorkContext,
  asked: ApplyRequest,
): Promise<Reviewed | Done<never>> {
  const { argv } = asked
  const { host } = context
  const isSaved = session.saved !== undefined
  const made: PlanResult =
    session.saved === undefined
      ? await planToApply(session, context, asked)
      : { ok: true, value: { plan: session.saved.plan, warnings: [] } }
  if (!made.ok) return failed(made.error)
  const { plan } = made.value
  const warnings = [...made.value.warnings, ...(await adviseOnSecrets(plan, session))]
  const veto = findVeto(plan, session, { argv, host })
  const shown = {
    summary: describeDecision(plan),
    brief: listActions(plan),
    warnings,
    format: (_: unknown, { paint }: ReportView) =>
      formatPlan(plan, paint, { adopt: argv.emulate ? undefined : session.commands.adopt }),
  }
  if (veto !== undefined) return { ...shown, ...failed(veto, warnings) }
  return {
    ...shown,
    exitCode: exitCodes.done,
    group: groupPlan(plan),
    plan,
    isSaved,
    rejection: await describeRejection(plan, session),
  }
}

/** Shows the plans of all sites if a person reads the output, and always before a person is asked. */
function showPlans(
  reviewed: readonly EndedSite[],
  targets: readonly ReportTarget<string>[],
  { argv: { color, verbose }, host }: ApplySurroundings,
): void {
  const toStdout = targets.some(({ format, file }) => format === 'text' && file === undefined)
  if (!toStdout && !host.isInteractive) return
  const view = { showsEach: true, column: 'address' } as const
  const texts = formatTexts(reviewed, view, { color, verbose, toFile: false })
  writeAll(toStdout ? host.stdout : host.stderr, [...texts, '\n'])
}

/** Asks once about the plans of several sites. Names the sites whose creation cannot be undone, and earlier rejections. */
async function confirmPlans(
  ready: readonly (EndedSite & { readonly done: Reviewed })[],
  stop: StopSignal,
  { argv, host }: ApplySurroundings,
): Promise<Failure | undefined> {
  // A saved plan was confirmed when it was reviewed.
  const open = ready.filter(({ done }) => !done.isSaved && sendsRequests(done.plan))
  if (argv.emulate || open.length === 0) return undefined
  const created = open.flatMap(({ site, done: { plan } }) =>
    plan.actions.some(({ change }) => change === 'create') ? display(site, 60) : [],
  )
  const rejected = open.flatMap(({ site, done }) =>
    done.rejection === undefined ? [] : `${display(site, 60)}: ${formatSentence(done.rejection)}`,
  )
  const names = created.length > maxDetailed ? formatNumber(created.length, 'site') : created.join(', ')
  const warning = names === '' ? '' : ` Creating an organization cannot be undone: ${names}.`
  const question = `${rejected.join('')}Apply the plans of ${formatNumber(open.length, 'site')}?${warning}`
  return confirm(host, argv, { ...applying, question, review: 'review the plans', stop })
}

/** Opens a site again, to perform its plan. The emulator of a rehearsal has ended, so a new one gets a new plan. */
function reopen(
  file: string,
  { plan, isSaved }: Reviewed,
  argv: ApplyArguments,
): SiteJob<PlannedSession>['open'] {
  const args = { ...argv, file, verbose: false }
  const open = (at: Host) =>
    isSaved || argv.emulate
      ? openPlanned(args, at)
      : openSaved({ id: buildPlanDocument(plan).id, plan }, { args }, at)
  return async at => holdSession(await open(at))
}

interface Performing {
  readonly asked: ApplyRequest
  readonly events: LineFile | undefined
  readonly saidYes: boolean
}

/** Performs the plan of one of several sites, and prints the outcome. */
async function performSite(
  session: PlannedSession,
  context: WorkContext,
  { asked, events, saidYes }: Performing,
): Promise<Done> {
  const { argv, waitOptionsFor } = asked
  const { host, stop, site } = context
  const made = await planToApply(session, context, asked)
  if (!made.ok) return failed(made.error)
  const { plan } = made.value
  const veto = findVeto(plan, session, { argv, host })
  if (veto !== undefined) return failed(veto)
  const progress = [
    createProgress(argv.progress, context, { paint: paintFor('stderr', argv.color), quiet: argv.quiet }),
    ...(events === undefined ? [] : [eventLines(host, events.write, { site })]),
  ]
  // A saved plan gets no confirmation prompt.
  const how = { argv, progress, stop, waitOptionsFor, saidYes: saidYes && session.given === session.file }
  const { receipt, exitCode, next } = await performSessionPlan(plan, session, host, how)
  const { outcome } = receipt
  return {
    exitCode,
    group: endOfApply(outcome).end,
    summary: describeEnding(outcome, plan),
    warnings: listReferences(outcome, session),
    document: receiptDocument(plan, receipt, { next, exitCode }),
    notes: [formatEnding(outcome, plan), formatNext(next)],
  }
}
