import { isCertain, type Reply, type ServiceFailure } from '../client/failure.js'
import type {
  CallOptions,
  ExportResult,
  ListedWebhooks,
  SiteOperator,
  WebhooksRequest,
} from '../client/site-operator.js'
import { isTokenRejection } from '../client/site-token.js'
import type { ExportRequest } from '../client/wire/form-requests.js'
import type { NeededSecret } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { Secret, type Secrets } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { DeleteOutcome, ExportOutcome, UnsentOutcome } from './outcome.js'

/** The effects that a one-shot operation uses. */
export interface OneShotPorts {
  readonly client: SiteOperator
  readonly secrets: SecretSource
}

/** Deadline and cancellation. The signal stops an operation only before its request is sent. */
export type OneShotOptions = CallOptions

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

/** Limits the messages in a report. */
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

/**
 * Deletes all webhooks of one service, permanently. Does not ask for consent. Sends the request once: a retry would also
 * delete webhooks created in between. The one exception is a rejected token, which proves that nothing was done: then the
 * request is sent once more if there is a newer token. Service §4.2.
 */
export async function deleteAll(
  request: WebhooksRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<DeleteOutcome> {
  return withSecrets(
    [request.token],
    { ports, options, mayRepeat: isTokenRejected },
    async (secrets): Promise<DeleteOutcome> => {
      const reply = await ports.client.deleteAll(request, secrets, withoutCancellation(options))
      if (reply.ok) return { kind: 'done' }
      return { kind: isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
    },
  )
}

/** The result of listing webhooks. Not every site reports them; a deletion is possible without the list. */
export type WebhooksListing =
  | UnsentOutcome
  /** No connection could be made. */
  | { readonly kind: 'not-reached'; readonly failure: ServiceFailure }
  | { readonly kind: 'listed'; readonly webhooks: ListedWebhooks }
  /** With the failure, if there was one. */
  | { readonly kind: 'not-said'; readonly failure?: ServiceFailure }

/** Lists the webhooks of a service; only reads. */
export async function listWebhooks(
  request: WebhooksRequest,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<WebhooksListing> {
  return withSecrets([request.token], { ports, options }, async (secrets): Promise<WebhooksListing> => {
    const reply = await ports.client.webhooks(request, secrets, options)
    if (options.signal.aborted) return { kind: 'interrupted' }
    if (reply.ok)
      return reply.value === undefined ? { kind: 'not-said' } : { kind: 'listed', webhooks: reply.value }
    const { error: failure } = reply
    return { kind: failure.kind === 'not-sent' ? 'not-reached' : 'not-said', failure }
  })
}

interface CallContext<T> {
  readonly ports: OneShotPorts
  readonly options: OneShotOptions
  /** True if nothing was done, so that a repetition with newer secrets is safe. */
  mayRepeat?(result: NoInfer<T>): boolean
}

/**
 * Runs one call with its secrets, which are wiped in any case; sends nothing if one is missing. Repeats the call once if
 * that is allowed and the secrets have changed since.
 */
export async function withSecrets<T>(
  wanted: readonly (NeededSecret | undefined)[],
  { ports, options, mayRepeat }: CallContext<T>,
  call: (secrets: Secrets) => Promise<T>,
): Promise<T | UnsentOutcome> {
  const named = wanted.filter(one => one !== undefined)
  const resolved = await resolve(named, ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.error }
  // The call wipes the secrets it gets.
  const sent = mayRepeat === undefined ? new Map() : copySecrets(resolved.value.secrets)
  try {
    if (options.signal.aborted) return { kind: 'interrupted' }
    const result = await call(resolved.value.secrets)
    if (options.signal.aborted || mayRepeat?.(result) !== true) return result
    const renewed = await resolve(named, ports.secrets)
    if (!renewed.ok) return result
    try {
      return areSame(renewed.value.secrets, sent) ? result : await call(renewed.value.secrets)
    } finally {
      wipeAll(renewed.value.secrets)
    }
  } finally {
    wipeAll(resolved.value.secrets)
    wipeAll(sent)
  }
}

/** Returns options without cancellation, because a request that is cut off has an unknown outcome. */
export function withoutCancellation({ deadlineMs }: OneShotOptions): OneShotOptions {
  return { deadlineMs, signal: new AbortController().signal }
}

/** True if the token was rejected, so that nothing was done. */
export function isTokenRejected(outcome: ExportOutcome | DeleteOutcome): boolean {
  return outcome.kind === 'not-taken' && isTokenRejection(outcome.failure)
}

function copySecrets(secrets: Secrets): Secrets {
  return new Map([...secrets].map(([pointer, { bytes }]) => [pointer, new Secret(Buffer.from(bytes))]))
}

function areSame(some: Secrets, others: Secrets): boolean {
  return [...some].every(([pointer, { bytes }]) => others.get(pointer)?.bytes.equals(bytes) === true)
}
