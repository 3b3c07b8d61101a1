import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { defaultLifetimeMs } from '../../library/make-plan.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Plan } from '../../plan/plan.js'
import { receiptDocument } from '../../report/events.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatNext } from '../../report/next-steps.js'
import { describeEnding, formatEnding } from '../../report/outcomes.js'
import { formatPlan } from '../../report/plan-text.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { listConfigureReferences } from '../../secrets/needed-references.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { chooseFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import { type SiteFormat, siteFormats } from '../declarations/options.js'
import type { apply as declaration } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { parseIgnored, parseWaitOptions } from '../options.js'
import { openPlanned } from '../plan/planned-session.js'
import { describeRejection, findVeto, requestConsent } from '../site/consent.js'
import { withSite } from '../site/open-session.js'
import { type Performed, performSessionPlan } from '../site/perform-session-plan.js'
import { refuseWaitReady, waitUntilUp } from '../site/read-site.js'
import type { ApplyArguments, PlannedSession, SiteSession } from '../site/session.js'
import { notify, stopSignal } from '../terminal/interaction.js'
import { type ColorChoice, emit, jsonText, paintFor } from '../terminal/output.js'
import { createProgress, eventFile } from '../terminal/progress.js'
import type { CommandContext } from '../with-opened.js'

/** Plans, asks, performs the plan and prints the outcome; performs a saved plan without asking. */
export async function apply(
  { files, ...options }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const chosen = await chooseFiles(files, options.concurrency !== undefined)
  const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '' }
  const waitOptionsFor = parseWaitOptions(argv)
  const ignored = parseIgnored(argv['ignore-immutable'])
  if (argv.emulate && argv.detach)
    throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
  if (chosen.kind === 'many' && argv.manifest !== undefined)
    throw new UsageError('--manifest names the manifest of one saved plan')
  if (chosen.kind === 'many') {
    refuseWaitReady(argv, 'is for one site')
    const { applyFleet } = await import('../fleet/apply-fleet.js')
    return applyFleet(options, host, { chosen, ignored, waitOptionsFor })
  }
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openPlanned(argv, host),
    work: context => applyOne(context, host, { argv, ignored, waitOptionsFor }),
  })
}

interface Asked {
  readonly argv: ApplyArguments
  readonly ignored: readonly JsonPointer[]
  readonly waitOptionsFor: Parameters<typeof performSessionPlan>[3]['waitOptionsFor']
}

/** Plans for one site, asks, performs the plan and prints the outcome. */
async function applyOne(
  context: CommandContext<PlannedSession, SiteFormat>,
  host: Host,
  { argv, ignored, waitOptionsFor }: Asked,
): Promise<ExitCode> {
  const { session, refuse, warn } = context
  const stop = stopSignal(host)
  try {
    const { signal } = stop
    const notUp = await waitUntilUp(session, host, { argv, signal })
    if (notUp !== undefined) return await refuse(notUp)
    const made = await session.plan({ ignored, lifetimeMs: defaultLifetimeMs, signal })
    if (signal.aborted) return await refuse({ exitCode: stop.exitCode(), message: 'interrupted' })
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
      createProgress(argv.progress, host, paintFor('stderr', argv.color), argv.quiet),
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
  if (outcome.kind === 'references') warn(outcome.diagnostics.map(one => addPlace(session.manifest, one)))
  const json = targets.filter(({ format }) => format === 'json')
  const isProduct = outcome.kind === 'done' && json.every(({ file }) => file !== undefined)
  const stream = isProduct ? host.stdout : host.stderr
  stream.print(formatEnding(outcome, plan))
  if (next !== '') host.stderr.print(formatNext(next))
  const written = await emit(host, json, () => jsonText(receiptDocument(plan, receipt, { next, exitCode })))
  return written || exitCode !== exitCodes.done ? exitCode : exitCodes.state
}
