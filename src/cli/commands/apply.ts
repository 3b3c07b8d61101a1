import { defaultPollMs } from '../../library/patience.js'
import { describeEnding, nextStep } from '../../report/outcome-text.js'
import { formatPlan } from '../../report/plan/plan-text.js'
import { command } from '../command.js'
import { conclude, performed } from '../conclude-apply.js'
import { refusalOf, rejectionOf } from '../consent.js'
import { exitCodeOf, exitCodes } from '../exit-code.js'
import { chosenFiles } from '../fleet/chosen-files.js'
import { waveOptions } from '../fleet/fleet-options.js'
import { gravityWords } from '../fleet/gravest.js'
import { localStateFailure } from '../local-state.js'
import { nextCommands } from '../next-commands.js'
import { parsePatience, policyOption, routeOption, waitOptions } from '../options.js'
import { emit, paintFor } from '../output.js'
import { ignoreOption, parseIgnored } from '../plan/plan-options.js'
import { blockedFailure } from '../plan/plan-refusals.js'
import { signatureOption } from '../plan/plan-signature.js'
import { openPlanned, type PlannedSession } from '../plan/planned-session.js'
import { defaultLifetimeMs } from '../plan/situation.js'
import { eventFile } from '../progress/event-lines.js'
import { notify } from '../progress/notify.js'
import { progressFor } from '../progress.js'
import { stopSignal } from '../stop-signal.js'
import { UsageError } from '../usage-error.js'
import { atDesk, type Desk, manifestOptions, siteFormats } from '../with-session.js'

/** Plans, asks, performs the plan, and says how it ended; or performs a saved plan, just that, and asks nothing. */
export const apply = command({
  arguments: [
    {
      name: 'files',
      many: true,
      describe:
        'Manifest, or a saved plan, or several: files, folders, patterns; - is a manifest on standard input',
    },
  ],
  options: {
    yes: { kind: 'flag', describe: 'Do not ask before the site is changed' },
    'accept-local-state': { kind: 'flag', describe: 'Create a site from CI with state on a disk that lasts' },
    detach: { kind: 'flag', describe: 'Return once the service has accepted the configuration' },
    'resubmit-after-rejection': {
      kind: 'flag',
      describe: 'Send configure again although the service said no to an earlier one, if nothing has begun',
    },
    progress: {
      kind: 'text',
      value: 'HOW',
      choices: ['auto', 'live', 'lines', 'json'],
      default: 'auto',
      describe: 'How to show what happens, on stderr',
    },
    events: { kind: 'text', value: 'FILE', describe: 'Write the events to a file, one JSON object a line' },
    ...waveOptions,
    ...ignoreOption,
    ...signatureOption,
    ...routeOption,
    ...waitOptions,
    ...policyOption,
    ...manifestOptions,
  },
  examples: [
    ['apply site.yaml', 'plan, ask, apply'],
    ['apply plan.json', 'perform just the plan that was reviewed, or nothing'],
    ['apply --emulate site.yaml', 'rehearse the same on this machine'],
    ['apply sites --waves 1,10%,100%', 'one review of many sites; one first, then a tenth, then the others'],
  ],
  more: [['Exit code of several sites', [['the gravest of', gravityWords]]]],
  async run({ files, ...options }, host) {
    const asMany = [options.waves, options.concurrency].some(Boolean) || options['keep-going']
    const chosen = await chosenFiles(files, asMany)
    const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '' }
    const patienceFor = parsePatience(argv)
    const ignored = parseIgnored(argv['ignore-immutable'])
    if (argv.emulate && argv.detach)
      throw new UsageError('--detach leaves nothing behind with --emulate, whose emulator ends with the run')
    if (chosen.kind === 'many') {
      const { applyFleet } = await import('../fleet/apply-fleet.js')
      return applyFleet(options, host, { chosen, ignored, patienceFor })
    }
    const open = () => openPlanned(argv, host)
    const work = async (desk: Desk<PlannedSession>) => {
      const { session, targets, refuse, warn } = desk
      const stop = stopSignal(host)
      try {
        const { signal } = stop
        const made = await session.plan({ ignored, lifetimeMs: defaultLifetimeMs, signal })
        if (stop.signal.aborted)
          return await refuse({ exitCode: stop.exitCode(), message: 'interrupted; nothing was sent' })
        if (!made.ok) return await refuse(made.failure)
        const { plan } = made
        warn(made.warnings)
        const text = targets.filter(({ format }) => format === 'text')
        const shown = await emit(host, text, (_, toFile) =>
          formatPlan(plan, paintFor('stdout', toFile ? 'never' : argv.color)),
        )
        // Nobody is asked about a plan that was not shown.
        if (text.length === 0 && host.isInteractive)
          host.stderr.write(formatPlan(plan, paintFor('stderr', argv.color)))
        // Who saved the plan was asked by those who reviewed it.
        const yes = argv.yes || session.saved !== undefined
        const rejection = await rejectionOf(plan, session)
        const refusal =
          blockedFailure(plan) ??
          (argv['accept-local-state'] ? undefined : localStateFailure(plan, session, host)) ??
          (await refusalOf(plan, { ...argv, yes, rejection }, host))
        if (refusal !== undefined) return await refuse(refusal)
        const progress = [
          progressFor(argv.progress, host, paintFor('stderr', argv.color), argv.quiet),
          ...(argv.events === undefined ? [] : [eventFile(host, argv.events)]),
        ]
        const patience = patienceFor(defaultPollMs(session.url))
        const planId = session.saved?.id
        const options = {
          ...patience,
          detach: argv.detach,
          signal,
          // Who was asked was told of the rejection.
          resubmitAfterRejection: argv['resubmit-after-rejection'] || !yes,
          ...(planId !== undefined && { planId }),
        }
        const receipt = await performed(plan, session, host, { options, progress })
        const code = exitCodeOf(receipt.outcome)
        const exitCode = code === exitCodes.interrupted ? stop.exitCode() : code
        const next = argv.emulate
          ? ''
          : nextStep(receipt.outcome, nextCommands({ ...argv, file: session.file }))
        const ended = await conclude(host, desk, { plan, receipt, exitCode, next })
        if (argv.notify) notify(host, describeEnding(receipt.outcome, plan))
        return shown || ended !== exitCodes.done ? ended : exitCodes.state
      } finally {
        stop.forget()
      }
    }
    return atDesk(argv, host, { formats: siteFormats, open, work })
  },
})
