import type { ListedWebhooks } from '../../client/site-operator.js'
import { formatServiceName, parseServiceName } from '../../contract/operations.js'
import { deleteAll, listWebhooks, type WebhooksListing } from '../../operations/one-shot.js'
import { display } from '../../report/display.js'
import { endOfDeletion } from '../../report/endings/one-shot.js'
import { toFailure } from '../../report/endings/problems.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { chooseReferencesExit } from '../../report/findings.js'
import { formatDeletion, formatWebhooks, webhooksDocument } from '../../report/one-shot.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { oneShotOptions, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { formatCommandAgain } from '../one-shot/consent.js'
import type { OneShotTarget } from '../one-shot/open-target.js'
import { performOneShot } from '../one-shot/perform.js'
import { parseDeadline } from '../options.js'
import type { StopSignal } from '../terminal/interaction.js'
import { type Failure, paintFor } from '../terminal/output.js'

const declaration = declare({
  name: 'webhooks delete-all',
  describe: 'Delete all webhooks of one service permanently',
  touches: 'sends',
  arguments: [
    {
      name: 'service',
      describe:
        'Service to delete the webhooks of, such as Roads.FeatureServer or Folder/Roads.FeatureServer',
    },
    targetArgument,
  ],
  options: {
    confirm: text('SERVICE@HOST', 'Confirm without a prompt; must be the service and the host'),
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

/** Deletes all webhooks of one service with a single request, and only if the target was confirmed by name. Service §4.2. */
async function deleteAllWebhooks(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const deadlineMs = parseDeadline(argv.timeout)
  const again = (confirm?: string) => formatCommandAgain(declaration, { ...argv, yes: false, confirm })
  return performOneShot(argv, host, session => {
    const service = parseServiceName(argv.service)
    if (service === undefined) return rejectName(argv.service)
    const name = formatServiceName(service)
    const confirmation = `${name}@${session.host}`
    const target = { url: session.url, service: name, confirmation }
    const request = { service, token: session.token }
    let webhooks: ListedWebhooks | undefined
    return {
      needs: ['deleteAll'],
      effect: formatDeletion(target, paintFor('stderr', argv.color)),
      consent: {
        guarded: { confirmation, mustBeNamed: true, matters: !argv.emulate },
        question: 'Delete them?',
        again: again(confirmation),
      },
      again: again(),
      deadlineMs,
      progress: `deleting the webhooks of ${name}`,
      isCheck: false,
      look: () => 'list the webhooks of the service in the site',
      async prepare(ports, watch) {
        const options = { deadlineMs: Math.min(listDeadlineMs, deadlineMs), signal: watch.signal }
        const poll = await listWebhooks(request, ports, options)
        const failure = toListFailure(poll, session, watch)
        if (failure !== undefined) return failure
        webhooks = poll.kind === 'listed' ? poll.webhooks : undefined
        const because = poll.kind === 'not-said' ? poll.failure : undefined
        if (!argv.quiet || host.isInteractive) host.stderr.print(formatWebhooks(webhooks, because))
        return undefined
      },
      run: (ports, options) => deleteAll(request, ports, options),
      end: outcome => endOfDeletion({ ...outcome, service: name }),
      document: ended => webhooksDocument(target, webhooks, ended),
    }
  })
}

/** The listing of webhooks before their deletion. A site that does not list them may still delete them. */
const listDeadlineMs = 10_000

function rejectName(written: string): Failure {
  return {
    exitCode: exitCodes.invalid,
    message: `${JSON.stringify(display(written, 200))} is not the name of a service with webhooks`,
    next: [
      'write NAME.GPServer or NAME.FeatureServer, or FOLDER/NAME.… for a service in a folder; a name has letters and digits of any script, _, -, dots, parentheses and spaces',
    ],
  }
}

/** Explains why the deletion stops after the attempt to list the webhooks. A site that offers no list does not stop it. */
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
