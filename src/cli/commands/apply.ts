import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { defaultLifetimeMs } from '../../library/make-plan.js'
import { addPlace } from '../../manifest/field-places.js'
import { hasChanges, isUncompared, type Plan, sendsRequests } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { display } from '../../report/display.js'
import { describeEnding, endOfApply, formatEnding } from '../../report/endings/apply.js'
import { receiptDocument } from '../../report/events.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatNumber, formatSentence } from '../../report/phrase.js'
import { formatPlan } from '../../report/plan-text.js'
import { describeDecision } from '../../report/plan-words.js'
import { groupPlan, suggestRerun } from '../../report/sites.js'
import { formatNext } from '../../report/terminal.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { listConfigureReferences } from '../../secrets/needed-references.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { type Chosen, chooseFiles, parseConcurrency } from '../check/expand-files.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import { applyOptions, type SiteFormat, siteFormats } from '../command-options.js'
import type { Host } from '../host.js'
import { parseIgnored, parseWaitOptions, type ReportTarget } from '../options.js'
import { openPlanned, openSaved } from '../plan/planned-session.js'
import { planEnding } from '../plan/saved-plan-file.js'
import { applying, describeRejection, findVeto, requestConsent } from '../site/consent.js'
import {
  type EndedSite,
  formatTexts,
  manyFormats,
  reportSites,
  type SiteJob,
  toJob,
  workOnSites,
} from '../site/many-sites.js'
import { withSite } from '../site/open-session.js'
import { holdSession, withSites } from '../site/open-sites.js'
import { type Performed, performSessionPlan } from '../site/perform-session-plan.js'
import { waitUntilUp } from '../site/read-site.js'
import type { ApplyArguments, PlannedSession, PlanResult, SiteSession } from '../site/session.js'
import { type Around, type Done, failed, type ReportView } from '../site/site-command.js'
import { listAdoption } from '../site/suggest-adoption.js'
import { confirm, notify, type StopSignal, stopSignal } from '../terminal/interaction.js'
import { type ColorChoice, emit, type Failure, jsonText, paintFor, writeAll } from '../terminal/output.js'
import { createProgress, eventFile, eventLines, type LineFile, lineFile } from '../terminal/progress.js'
import type { CommandContext } from '../with-opened.js'

const declaration = declare({
  name: 'apply',
  describe: 'Bring one or more sites to the state of their manifests',
  touches: 'sends',
  arguments: [
    {
      name: 'files',
      many: true,
      optional: true,
      describe: 'Manifests, folders or saved plans; - is standard input [default: site.yaml]',
    },
  ],
  options: applyOptions,
  examples: [
    ['apply site.yaml', 'plan, ask, apply'],
    [
      'apply plan.json --manifest site.yaml',
      'perform exactly the reviewed plan of this manifest, or nothing',
    ],
    ['apply --emulate site.yaml', 'rehearse the same on this machine'],
    ['apply sites --concurrency 8', 'review many sites once; apply eight at once'],
    ['apply plans', 'perform each saved plan in a folder'],
  ],
  more: async () => {
    const { severityOrderWords } = await import('../../report/exit-code.js')
    return [['Exit code of several sites', [['the worst of', severityOrderWords]]]]
  },
})

/** Plans, asks, performs the plan and prints the outcome, for one site or many; performs a saved plan without asking. */
async function apply({ files, ...argv }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const chosen = await chooseFiles(files, argv.concurrency !== undefined)
  const asked = {
    argv,
    ignored: parseIgnored(argv['ignore-immutable']),
    waitOptionsFor: parseWaitOptions(argv),
  }
  if (argv.emulate && argv.detach)
    throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
  if (chosen.kind === 'many') return applyToSites(asked, host, chosen)
  const one = { ...argv, file: chosen.file }
  return withSite(one, host, {
    formats: siteFormats,
    open: () => openPlanned(one, host),
    work: context => applyToSite(context, host, asked),
  })
}

interface Asked {
  readonly argv: ApplyArguments
  readonly ignored: readonly JsonPointer[]
  readonly waitOptionsFor: Parameters<typeof performSessionPlan>[3]['waitOptionsFor']
}

/** Plans for one site, asks, performs the plan and prints the outcome. */
async function applyToSite(
  context: CommandContext<PlannedSession, SiteFormat>,
  host: Host,
  asked: Asked,
): Promise<ExitCode> {
  const { argv, waitOptionsFor } = asked
  const { session, refuse, warn } = context
  const stop = stopSignal(host)
  try {
    const made = await planToApply(session, { host, stop }, asked)
    if (!made.ok) return await refuse(made.error)
    const { plan } = made.value
    warn([...made.value.warnings, ...(await adviseOnSecrets(plan, session))])
    const isShown = await showPlan(plan, context, { host, color: argv.color })
    // A saved plan was confirmed when it was reviewed.
    const yes = argv.yes || session.saved !== undefined
    const declined =
      findVeto(plan, session, { argv, host }) ??
      (await requestConsent(plan, { ...argv, yes, rejection: await describeRejection(plan, session) }, host))
    if (declined !== undefined) return await refuse(declined)
    const progress = [
      createProgress(argv.progress, { host }, { paint: paintFor('stderr', argv.color), quiet: argv.quiet }),
      ...(argv.events === undefined ? [] : [eventFile(host, argv.events)]),
    ]
    const how = { argv, progress, stop, waitOptionsFor, saidYes: !yes }
    const ending = await performSessionPlan(plan, session, host, how)
    const exitCode = await conclude(host, context, { plan, ...ending })
    if (argv.notify) notify(host, describeEnding(ending.receipt.outcome, plan))
    return isShown || exitCode !== exitCodes.done ? exitCode : exitCodes.state
  } finally {
    stop.forget()
  }
}

/** Makes the plan of an apply, once the site is up, or makes sure that a saved one still holds. */
async function planToApply(
  session: PlannedSession,
  { host, stop }: Pick<Around, 'host' | 'stop'>,
  { argv, ignored }: Asked,
): Promise<PlanResult> {
  const { signal } = stop
  const notUp = await waitUntilUp(session, host, { argv, signal })
  if (notUp !== undefined) return { ok: false, error: notUp }
  const made = await session.plan({ ignored, lifetimeMs: defaultLifetimeMs, signal })
  return signal.aborted ? { ok: false, error: { exitCode: stop.exitCode(), message: 'interrupted' } } : made
}

const view = { kind: 'apply', column: 'exit', showsEach: false } as const

/** Plans for many sites, asks once, and performs the plans as saved ones, several at once. */
async function applyToSites(
  asked: Asked,
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
        const review = (session: PlannedSession, around: Around) => reviewSite(session, around, asked)
        const reviewed = await workOnSites(
          members.map(one => toJob(one)),
          pool,
          review,
        )
        if (stop.signal.aborted) return await refuse({ exitCode: stop.exitCode(), message: 'interrupted' })
        const ready = reviewed.flatMap(one => ('plan' in one.done ? { ...one, done: one.done } : []))
        showPlans(reviewed, targets, { argv, host })
        const declined = await confirmPlans(ready, stop, { argv, host })
        if (declined !== undefined) return await refuse(declined)
        const saidYes = !argv.yes
        const jobs = ready.flatMap(({ done, ...named }) =>
          done.isSaved || hasChanges(done.plan) ? { ...named, open: reopen(named.file, done, argv) } : [],
        )
        const performed = await workOnSites(jobs, pool, (session, around) =>
          performSite(session, around, { asked, events, saidYes }),
        )
        const endings = new Map(performed.map(one => [one.file, one]))
        const ended = reviewed.map(one => endings.get(one.file) ?? one)
        const exitCode = await reportSites(ended, { targets, view, argv, host })
        const hasSavedPlans = ready.some(({ done }) => done.isSaved)
        const results = ended.map(({ done }) => done)
        host.stderr.print(formatNext(suggestRerun(results, hasSavedPlans)))
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
  /** True for a plan of a file, which a person has reviewed. */
  readonly isSaved: boolean
  /** The warning about an earlier rejection. */
  readonly rejection?: string | undefined
}

/** Makes the plan of one of several sites. A saved plan is shown as it is, and compared with its site when it is performed. */
async function reviewSite(
  session: PlannedSession,
  around: Around,
  asked: Asked,
): Promise<Reviewed | Done<never>> {
  const { argv } = asked
  const { host, file } = around
  const isSaved = session.saved !== undefined
  const made: PlanResult =
    session.saved === undefined
      ? await planToApply(session, around, asked)
      : { ok: true, value: { plan: session.saved.plan, warnings: [] } }
  if (!made.ok) return failed(made.error)
  const { plan } = made.value
  const warnings = [...made.value.warnings, ...(await adviseOnSecrets(plan, session))]
  const veto = findVeto(plan, session, { argv, host })
  const shown = {
    summary: describeDecision(plan),
    warnings,
    format: (_: unknown, { paint }: ReportView) => formatPlan(plan, paint),
  }
  if (veto !== undefined) return { ...shown, ...failed(veto, warnings) }
  return {
    ...shown,
    exitCode: exitCodes.done,
    group: groupPlan(plan),
    plan,
    isSaved,
    // A saved plan is performed even where it changes nothing.
    notes:
      isSaved || hasChanges(plan) || !isUncompared(plan.fields)
        ? []
        : listAdoption(session, { ...argv, file }),
    rejection: await describeRejection(plan, session),
  }
}

/** Above this number only totals are shown; `landform plan` shows each plan. */
const maxWhole = 10

/** Shows the plans of all sites: where a person reads the output, and always before a person is asked. */
function showPlans(
  reviewed: readonly EndedSite[],
  targets: readonly ReportTarget<string>[],
  { argv: { color }, host }: Surroundings,
): void {
  const toStdout = targets.some(({ format, file }) => format === 'text' && file === undefined)
  if (!toStdout && !host.isInteractive) return
  const showsEach = reviewed.length <= maxWhole
  const texts = formatTexts(reviewed, { showsEach, column: 'address' }, { color, toFile: false })
  writeAll(toStdout ? host.stdout : host.stderr, [...texts, '\n'])
}

interface Surroundings {
  readonly argv: ApplyArguments
  readonly host: Host
}

type ReadySite = EndedSite & { readonly done: Reviewed }

/** Asks once about the plans of several sites, naming those that cannot be undone and those that were rejected before. */
async function confirmPlans(
  ready: readonly ReadySite[],
  stop: StopSignal,
  { argv, host }: Surroundings,
): Promise<Failure | undefined> {
  // A saved plan was confirmed when it was reviewed.
  const open = ready.filter(({ done }) => !done.isSaved && sendsRequests(done.plan))
  if (argv.emulate || open.length === 0) return undefined
  const listSites = (matches: (done: Reviewed) => boolean) =>
    open.flatMap(({ site, done }) => (matches(done) ? display(site, 60) : [])).join(', ')
  const created = listSites(({ plan }) => plan.actions.some(({ change }) => change === 'create'))
  const rejected = open.flatMap(({ site, done }) =>
    done.rejection === undefined ? [] : `${display(site, 60)}: ${formatSentence(done.rejection)}`,
  )
  const warning = created === '' ? '' : ` Creating an organization cannot be undone: ${created}.`
  const question = `${rejected.join('')}Apply the plans of ${formatNumber(open.length, 'site')}?${warning}`
  return confirm(host, argv, { ...applying, question, review: 'review the plans', stop })
}

/** Opens a site again, to perform its plan. A private emulator ended with the review, so that a new one gets a new plan. */
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
  readonly asked: Asked
  readonly events: LineFile | undefined
  readonly saidYes: boolean
}

/** Performs the plan of one of several sites, and prints the outcome. */
async function performSite(
  session: PlannedSession,
  around: Around,
  { asked, events, saidYes }: Performing,
): Promise<Done> {
  const { argv, waitOptionsFor } = asked
  const { host, stop, site } = around
  const made = await planToApply(session, around, asked)
  if (!made.ok) return failed(made.error)
  const { plan } = made.value
  const veto = findVeto(plan, session, { argv, host })
  if (veto !== undefined) return failed(veto)
  const progress = [
    createProgress(argv.progress, around, { paint: paintFor('stderr', argv.color), quiet: argv.quiet }),
    ...(events === undefined ? [] : [eventLines(host, events.write, { site })]),
  ]
  // Nobody was asked about the plan of a file.
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

interface Showing {
  readonly host: Host
  readonly color: ColorChoice
}

/** Shows the plan as text and to the person who is asked; returns false if a file cannot be written. */
async function showPlan(
  plan: Plan,
  { targets }: CommandContext<PlannedSession, SiteFormat>,
  { host, color }: Showing,
) {
  const text = targets.filter(({ format }) => format === 'text')
  const isWritten = await emit(host, text, (_, toFile) =>
    formatPlan(plan, paintFor('stdout', toFile ? 'never' : color)),
  )
  // A plan is always shown before a person is asked to confirm it.
  if (text.length === 0 && host.isInteractive) host.stderr.print(formatPlan(plan, paintFor('stderr', color)))
  return isWritten
}

/**
 * Warns of a password and a license that the service may reject, before the question. The apply itself refuses missing
 * and invalid ones.
 */
async function adviseOnSecrets(
  plan: Plan,
  { secrets, manifest }: Pick<SiteSession, 'secrets' | 'manifest'>,
): Promise<readonly Diagnostic[]> {
  const create = plan.actions.find(action => action.change === 'create')
  if (create === undefined) return []
  const resolved = await resolve(listConfigureReferences(create.organization), secrets)
  if (!resolved.ok) return []
  wipeAll(resolved.value.secrets)
  return resolved.value.warnings.map(warning => addPlace(manifest, warning))
}

/**
 * Prints the outcome and the next steps. Success goes to stdout, unless that is JSON; a receipt
 * that cannot be written makes the run fail.
 */
async function conclude(
  host: Host,
  { session, targets, warn }: CommandContext<SiteSession, SiteFormat>,
  { plan, receipt, exitCode, next }: Performed & { readonly plan: Plan },
): Promise<ExitCode> {
  const { outcome } = receipt
  warn(listReferences(outcome, session))
  const json = targets.filter(({ format }) => format === 'json')
  const isProduct = outcome.kind === 'done' && json.every(({ file }) => file !== undefined)
  const stream = isProduct ? host.stdout : host.stderr
  stream.print(formatEnding(outcome, plan))
  host.stderr.print(formatNext(next))
  const written = await emit(host, json, () => jsonText(receiptDocument(plan, receipt, { next, exitCode })))
  return written || exitCode !== exitCodes.done ? exitCode : exitCodes.state
}

/** Lists the secrets and files that an apply found missing or invalid. */
function listReferences(
  outcome: Outcome,
  { manifest }: Pick<SiteSession, 'manifest'>,
): readonly Diagnostic[] {
  return outcome.kind === 'references' ? outcome.diagnostics.map(one => addPlace(manifest, one)) : []
}

export const command = pair(declaration, apply)
