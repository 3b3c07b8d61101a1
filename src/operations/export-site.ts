import type { Reply } from '../client/failure.js'
import { isCertain } from '../client/is-certain.js'
import type { ExportResult } from '../client/site-operator.js'
import type { ExportRequest } from '../client/wire/export-fields.js'
import type { ExportOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'
import { isTokenRefused, unstoppable, withSecrets } from './with-secrets.js'

/**
 * Exports a site, or checks whether it could be. Asks nobody and sends the request once: every export makes a new file,
 * so after an unknown outcome only a person can say whether another is wanted. Only where the token was refused, and there
 * is a newer one, it is sent once more. Service §4.1.
 */
export async function exportSite(
  request: ExportRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<ExportOutcome> {
  const { target, token } = request
  const wanted = [target.kind === 'container' ? target.accountKey : undefined, token]
  return withSecrets(wanted, { ports, options, mayRepeat: isTokenRefused }, async secrets =>
    outcomeOf(request, await ports.client.exportSite(request, secrets, unstoppable(options))),
  )
}

/** Nobody reads more, and a flood must not fill a report. */
const mostMessages = 50

function outcomeOf({ validate }: ExportRequest, reply: Reply<ExportResult>): ExportOutcome {
  if (!reply.ok)
    return { kind: validate || isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
  const { status, location, messages = [] } = reply.value
  const file = location === undefined ? {} : { location }
  if (validate && location !== undefined) return { kind: 'warned', ...file, messages: [exportedAnyway] }
  if (!validate && location === undefined)
    return {
      kind: 'unknown',
      failure: { kind: 'not-understood', status: 200, reason: 'no-export-location' },
    }
  return status === 'success'
    ? { kind: 'done', ...file }
    : { kind: 'warned', ...file, messages: messages.slice(0, mostMessages) }
}

/** What a service may do that does not know the parameter. */
const exportedAnyway = 'only a check was asked for, and the service names a file that it wrote'
