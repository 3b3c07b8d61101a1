import { isCertain, type Reply } from '../client/failure.js'
import type { ExportResult } from '../client/site-operator.js'
import type { ExportRequest } from '../client/wire/form-requests.js'
import type { ExportOutcome } from './outcome.js'
import type { OneShotOptions, OneShotPorts } from './ports.js'
import { isTokenRejected, withoutCancellation, withSecrets } from './with-secrets.js'

/**
 * Exports a site, or checks whether it could be exported. Does not ask for consent. Sends the request once: every export
 * writes a new file, so after an unknown outcome only a person can decide to repeat it. Only after a rejected token is the
 * request sent once more, if there is a newer token. Service §4.1.
 */
export async function exportSite(
  request: ExportRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<ExportOutcome> {
  const { target, token } = request
  const wanted = [target.kind === 'container' ? target.accountKey : undefined, token]
  return withSecrets(wanted, { ports, options, mayRepeat: isTokenRejected }, async secrets =>
    interpretExport(request, await ports.client.exportSite(request, secrets, withoutCancellation(options))),
  )
}

/** Keeps a flood of messages out of reports. */
const maxMessages = 50

function interpretExport({ validate }: ExportRequest, reply: Reply<ExportResult>): ExportOutcome {
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
    : { kind: 'warned', ...file, messages: messages.slice(0, maxMessages) }
}

/** The warning about a service that does not know the parameter `validate`. */
const exportedAnyway = 'only a check was requested, but the service reported an export file'
