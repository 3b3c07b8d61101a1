import type { Plan } from '../../plan/plan.js'
import { describeEnding, formatEnding } from '../../report/endings/apply.js'
import { receiptDocument } from '../../report/events.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatPlan } from '../../report/plan-text.js'
import { formatNext } from '../../report/terminal.js'
import { chooseFiles } from '../check/expand-files.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import { applyOptions, type SiteFormat, siteFormats } from '../command-options.js'
import type { Host } from '../host.js'
import { parseFields, parseWaitOptions } from '../options.js'
import { openPlanned } from '../plan/planned-session.js'
import { applyToSites } from '../site/apply-sites.js'
import { adviseOnSecrets, describeRejection, findVeto, requestConsent } from '../site/consent.js'
import { withSite } from '../site/open-session.js'
import {
  type ApplyRequest,
  listReferences,
  type Performed,
  performSessionPlan,
  planToApply,
} from '../site/perform-session-plan.js'
import type { ApplySurroundings, PlannedSession, SiteSession } from '../site/session.js'
import { notify, stopSignal } from '../terminal/interaction.js'
import { emit, jsonText, paintFor } from '../terminal/output.js'
import { createProgress, eventFile } from '../terminal/progress.js'
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
    ['apply sites --concurrency 8', 'review many sites once, then apply eight at a time'],
    ['apply plans', 'perform each saved plan in a folder'],
  ],
  more: async () => {
    const { severityOrderWords } = await import('../../report/exit-code.js')
    return [['Exit code of several sites', [['the worst of', severityOrderWords]]]]
  },
})

/** Plans, asks, performs the plan and prints the outcome, for one site or many. Performs a saved plan without asking. */
async function apply({ files, ...argv }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const chosen = await chooseFiles(files, argv.concurrency !== undefined)
  const asked = {
    argv,
    ignored: parseFields('ignore-immutable', argv['ignore-immutable']),
    waitOptionsFor: parseWaitOptions(argv),
  }
  if (argv.emulate && argv.detach)
    throw new UsageError('--detach and --emulate exclude each other: a private emulator ends with the run')
  if (chosen.kind === 'many') return applyToSites(asked, host, chosen)
  const one = { ...argv, file: chosen.file }
  return withSite(one, host, {
    formats: siteFormats,
    open: () => openPlanned(one, host),
    work: context => applyToSite(context, host, asked),
  })
}

/** Plans for one site, asks, performs the plan and prints the outcome. */
async function applyToSite(
  context: CommandContext<PlannedSession, SiteFormat>,
  host: Host,
  asked: ApplyRequest,
): Promise<ExitCode> {
  const { argv, waitOptionsFor } = asked
  const { session, refuse, warn } = context
  const stop = stopSignal(host)
  try {
    const made = await planToApply(session, { host, stop }, asked)
    if (!made.ok) return await refuse(made.error)
    const { plan } = made.value
    warn([...made.value.warnings, ...(await adviseOnSecrets(plan, session))])
    const isShown = await showPlan(plan, context, { argv, host })
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

/** Shows the plan as text, and to the person who is asked; returns false if a file cannot be written. */
async function showPlan(
  plan: Plan,
  { targets, session }: CommandContext<PlannedSession, SiteFormat>,
  { argv: { color, emulate }, host }: ApplySurroundings,
) {
  const view = { adopt: emulate ? undefined : session.commands.adopt }
  const text = targets.filter(({ format }) => format === 'text')
  const isWritten = await emit(host, text, (_, toFile) =>
    formatPlan(plan, paintFor('stdout', toFile ? 'never' : color), view),
  )
  // A plan is always shown before a person is asked to confirm it.
  if (text.length === 0 && host.isInteractive)
    host.stderr.print(formatPlan(plan, paintFor('stderr', color), view))
  return isWritten
}

/**
 * Prints the outcome and the next steps. Success goes to stdout, unless stdout has JSON. A receipt that cannot be
 * written makes the run fail.
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

export const command = pair(declaration, apply)
