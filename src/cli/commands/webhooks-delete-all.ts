import { formatServiceName, parseServiceName, type ServiceName } from '../../contract/operations.js'
import { deleteAll, listWebhooks, type WebhooksListing } from '../../operations/one-shot.js'
import { display } from '../../report/display.js'
import { endOfDeletion } from '../../report/endings/one-shot.js'
import { toFailure } from '../../report/endings/problems.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { chooseReferencesExit } from '../../report/findings.js'
import { formatDeletion, formatWebhooks, webhooksDocument } from '../../report/one-shot.js'
import { formatSentence } from '../../report/phrase.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { oneShotOptions, siteFormats, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { askOrRefuse, formatCommandAgain } from '../one-shot/consent.js'
import {
  addEnding,
  buildOptions,
  buildPorts,
  conclude,
  type OneShotTarget,
  openTarget,
  performOneShot,
  withWatch,
} from '../one-shot/perform.js'
import { askVersion, gateFailure } from '../one-shot/version-gate.js'
import { parseDeadline } from '../options.js'
import { withSite } from '../site/open-session.js'
import type { StopSignal } from '../terminal/interaction.js'
import { type Failure, paintFor } from '../terminal/output.js'

const serviceArgument = {
  name: 'service',
  describe: 'Service whose webhooks are deleted, such as Roads.FeatureServer or Folder/Roads.FeatureServer',
} as const

const declaration = declare({
  name: 'webhooks delete-all',
  describe: 'Delete all webhooks of one service permanently',
  touches: 'sends',
  arguments: [serviceArgument, targetArgument],
  options: {
    confirm: text(
      'SERVICE@HOST',
      'Confirm without a prompt, if this is the service and the host; --yes is not enough',
    ),
    timeout: text('TIME', 'How long the deletion may take', { default: '2m' }),
    ...oneShotOptions,
    yes: flag('Not enough here: pass the target with --confirm'),
  },
  examples: [
    ['webhooks delete-all Roads.FeatureServer site.yaml', 'show the webhooks, ask, delete'],
    [
      'webhooks delete-all Roads.FeatureServer site.yaml --confirm Roads.FeatureServer@gis.example.org',
      'in a pipeline',
    ],
  ],
})

/** Deletes all webhooks of one service: once, and only when the target was named. Service §4.2. */
async function deleteAllWebhooks(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const deadlineMs = parseDeadline(argv.timeout)
  const again = (confirm?: string) => formatCommandAgain(declaration, { ...argv, yes: false, confirm })
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openTarget(argv, host),
    work: context =>
      withWatch(host, async watch => {
        const { session, refuse, warn } = context
        const service = parseServiceName(argv.service)
        if (service === undefined) return refuse(rejectName(argv.service))
        const gate = gateFailure(session, ['deleteAll'])
        if (gate !== undefined) return refuse(gate)
        warn(session.warnings)
        const target = buildDeletionTarget(session, service)
        const { confirmation } = target
        if (!argv.quiet || host.isInteractive)
          host.stderr.print(formatDeletion(target, paintFor('stderr', argv.color)))
        const asking = askOrRefuse(argv, host, {
          guarded: { confirmation, mustBeNamed: true, matters: !argv.emulate },
          question: 'Delete them?',
          again: again(confirmation),
          watch,
        })
        if (asking !== undefined && typeof asking !== 'function') return refuse(asking)
        const site = await askVersion(session, watch.signal)
        const tooOld = gateFailure(site, ['deleteAll'])
        if (tooOld !== undefined) return refuse(tooOld)
        const request = { service, token: site.token }
        const poll = await listWebhooks(
          request,
          buildPorts(site),
          buildOptions(Math.min(listDeadlineMs, deadlineMs), watch),
        )
        const failure = toListFailure(poll, site, watch)
        if (failure !== undefined) return refuse(failure)
        const webhooks = poll.kind === 'listed' ? poll.webhooks : undefined
        const because = poll.kind === 'not-said' ? poll.failure : undefined
        if (!argv.quiet || host.isInteractive) host.stderr.print(formatWebhooks(webhooks, because))
        const declined = await asking?.()
        if (declined !== undefined) return refuse(declined)
        const timed = await performOneShot(host, watch, {
          what: `deleting the webhooks of ${target.service}`,
          quiet: argv.quiet,
          look: () => whereToCheck,
          run: () => deleteAll(request, buildPorts(site), buildOptions(deadlineMs, watch)),
        })
        const ended = addEnding(timed, {
          ending: endOfDeletion({ ...timed.outcome, service: target.service }),
          ways: { site, look: whereToCheck, again: again() },
          watch,
        })
        return conclude(host, context, {
          ended,
          text: formatSentence(ended.message),
          document: () => webhooksDocument(target, webhooks, ended),
        })
      }),
  })
}

/** The list of webhooks before their deletion: a site that does not respond to it may still delete. */
const listDeadlineMs = 10_000

const whereToCheck = 'list the webhooks of the service in the site'

function rejectName(written: string): Failure {
  return {
    exitCode: exitCodes.invalid,
    message: `${JSON.stringify(display(written, 200))} is not the name of a service with webhooks`,
    next: [
      'write NAME.GPServer or NAME.FeatureServer, or FOLDER/NAME.… for a service in a folder; a name has letters and digits of any script, _, -, dots, parentheses and spaces',
    ],
  }
}

function buildDeletionTarget({ url, host }: OneShotTarget, service: ServiceName) {
  const name = formatServiceName(service)
  return { url, service: name, confirmation: `${name}@${host}` }
}

/** Explains why a deletion stops after the list was read; a site that does not provide a list is no reason. */
function toListFailure(poll: WebhooksListing, site: OneShotTarget, watch: StopSignal): Failure | undefined {
  switch (poll.kind) {
    case 'listed':
    case 'not-said':
      return undefined
    case 'interrupted':
      return { exitCode: watch.exitCode(), message: 'interrupted' }
    case 'references':
      return {
        exitCode: exitCodes[chooseReferencesExit(poll.diagnostics)],
        message: 'the token is missing or invalid',
        diagnostics: poll.diagnostics.map(site.placed),
      }
    case 'not-reached':
      return toFailure({ kind: 'look', url: site.url, failure: poll.failure, caFile: site.route.caFile })
    default:
      return poll satisfies never
  }
}

export const command = pair(declaration, deleteAllWebhooks)
