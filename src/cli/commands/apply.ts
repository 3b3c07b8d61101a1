import { apply as perform } from '../../apply/apply.js'
import type { ApplyOptions } from '../../apply/context.js'
import type { Receipt } from '../../apply/outcome.js'
import { siteWriter } from '../../client/site-client.js'
import { placed } from '../../manifest/effective.js'
import type { Plan } from '../../plan/plan.js'
import { describeOutcome, nextStep } from '../../report/outcome-text.js'
import { formatPlan } from '../../report/plan-text.js'
import { receiptDocument } from '../../report/receipt-json.js'
import { command } from '../command.js'
import { refusalOf } from '../consent.js'
import { drain } from '../drain.js'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { makePlan } from '../make-plan.js'
import { nextCommands } from '../next-commands.js'
import { parsePatience, waitOptions } from '../options.js'
import { emit, jsonText, paintFor } from '../output.js'
import { eventFile, type Progress, progressFor } from '../progress.js'
import { defaultPollMs, type Session } from '../session.js'
import { defaultLifetimeMs } from '../situation.js'
import { stopSignal } from '../stop-signal.js'
import { UsageError } from '../usage-error.js'
import { type Desk, manifestArgument, manifestOptions, withSession } from '../with-session.js'

/** Plans, asks, performs the plan, and says how it ended. */
export const apply = command({
  arguments: [manifestArgument],
  options: {
    yes: { kind: 'flag', describe: 'Do not ask before the site is changed' },
    detach: { kind: 'flag', describe: 'Return once the service has accepted the configuration' },
    progress: {
      kind: 'text',
      value: 'HOW',
      choices: ['auto', 'live', 'lines', 'json'],
      default: 'auto',
      describe: 'How to show what happens, on stderr',
    },
    events: { kind: 'text', value: 'FILE', describe: 'Write the events to a file, one JSON object a line' },
    ...waitOptions,
    ...manifestOptions,
  },
  examples: [
    ['apply site.yaml', 'plan, ask, apply'],
    ['apply --emulate site.yaml', 'rehearse the same on this machine'],
  ],
  async run(argv, host) {
    const patienceFor = parsePatience(argv)
    if (argv.emulate && argv.detach)
      throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
    return withSession(argv, host, async desk => {
      const { session, targets, refuse, warn } = desk
      const stop = stopSignal(host)
      try {
        const made = await makePlan(session, host, {
          ignored: [],
          lifetimeMs: defaultLifetimeMs,
          signal: stop.signal,
        })
        if (stop.signal.aborted)
          return await refuse({ exitCode: stop.exitCode(), message: 'interrupted; nothing was sent' })
        if (!made.ok) return await refuse(made.failure)
        const { plan } = made
        warn(made.warnings)
        const text = targets.filter(({ format }) => format === 'text')
        await emit(host, text, (_, toFile) =>
          formatPlan(plan, paintFor('stdout', toFile ? 'never' : argv.color)),
        )
        // Nobody is asked about a plan that was not shown.
        if (text.length === 0 && host.isInteractive)
          host.stderr.write(formatPlan(plan, paintFor('stderr', argv.color)))
        const refusal = await refusalOf(plan, argv, host)
        if (refusal !== undefined) return await refuse(refusal)
        const progress = [
          progressFor(argv.progress, host, paintFor('stderr', argv.color), argv.quiet),
          ...(argv.events === undefined ? [] : [eventFile(host, argv.events)]),
        ]
        const patience = patienceFor(defaultPollMs(session.url))
        const options = { ...patience, detach: argv.detach, signal: stop.signal }
        const receipt = await performed(plan, session, host, { options, progress })
        const code = exitCodeOf(receipt.outcome)
        const exitCode = code === exitCodes.interrupted ? stop.exitCode() : code
        const next = argv.emulate ? '' : nextStep(receipt.outcome, nextCommands(argv))
        await conclude(host, desk, { plan, receipt, exitCode, next })
        return exitCode
      } finally {
        stop.forget()
      }
    })
  },
})

interface Performing {
  readonly options: ApplyOptions
  readonly progress: readonly Progress[]
}

async function performed(
  plan: Plan,
  session: Session,
  host: Host,
  { options, progress }: Performing,
): Promise<Receipt> {
  const ports = {
    client: siteWriter(session.url),
    secrets: session.secrets,
    records: session.records,
    clock: host.clock,
    random: host.random,
  }
  try {
    return await drain(perform(plan, ports, options), event => {
      for (const one of progress) one.show(event)
    })
  } finally {
    for (const one of progress) one.end()
  }
}

interface Ending {
  readonly plan: Plan
  readonly receipt: Receipt
  readonly exitCode: ExitCode
  readonly next: string
}

/** The last words: what became of it, and what to do next. Success belongs to the product, unless that is JSON. */
async function conclude(host: Host, { session, targets, warn }: Desk, ending: Ending): Promise<void> {
  const { plan, receipt, exitCode, next } = ending
  const { outcome } = receipt
  if (outcome.kind === 'references') warn(outcome.diagnostics.map(one => placed(session.manifest, one)))
  const json = targets.filter(({ format }) => format === 'json')
  const isProduct = outcome.kind === 'done' && json.every(({ file }) => file !== undefined)
  const words = describeOutcome(outcome)
  const stream = isProduct ? host.stdout : host.stderr
  stream.write(`${words.charAt(0).toUpperCase()}${words.slice(1)}.\n`)
  if (next !== '') host.stderr.write(`next: ${next}\n`)
  await emit(host, json, () => jsonText(receiptDocument(plan, receipt, { next, exitCode })))
}
