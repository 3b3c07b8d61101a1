import { isCertain, type Reply, type ServiceFailure } from '../client/failure.js'
import type { CallOptions } from '../client/site-client.js'
import type { ExportResult, ListedWebhooks, SiteOperator, WebhooksRequest } from '../client/site-operator.js'
import { isTokenRejection, toSignInFailure } from '../client/site-token.js'
import type { ExportRequest, TokenPlace } from '../client/wire/form-requests.js'
import { type NeededSecret, tokenPointer } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { Secret, type Secrets } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { retryWithNewToken, type TokenProvider } from '../secrets/token-provider.js'
import type { DeleteOutcome, ExportOutcome, UnsentOutcome } from './outcome.js'

/** The effects that a one-shot operation uses. */
export interface OneShotPorts {
  readonly client: SiteOperator
  readonly secrets: SecretSource
  /** Signs in to get the token, if the manifest or an option says how. Otherwise the request names the token, if any. */
  readonly signIn?: TokenProvider | undefined
}

/** A request that refers to its token, unless a sign-in provides it. */
export type WithToken<R> = Omit<R, 'token'> & { readonly token?: NeededSecret | undefined }

/** Deadline and cancellation. The signal stops an operation only before its request is sent. */
export type OneShotOptions = CallOptions

/**
 * Exports a site, or checks whether it could be exported. Does not ask for consent. Sends the request once: every export
 * writes a new file, so after an unknown outcome only a person can decide to repeat it. Only if the token was rejected and
 * there is a newer one, the request is sent once more. Service §4.1.
 */
export async function exportSite(
  request: WithToken<ExportRequest>,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<ExportOutcome> {
  const { target, token } = request
  const accountKey = target.kind === 'container' ? target.accountKey : undefined
  const context = { ports, options, failed: notTaken<ExportOutcome>, mayRepeat: isTokenRejected }
  return withSecrets({ token, others: [accountKey] }, context, async (secrets, token) => {
    const asked = { ...request, token }
    return interpretExport(
      request,
      await ports.client.exportSite(asked, secrets, withoutCancellation(options)),
    )
  })
}

/** Limits the messages in a report. */
const maxMessages = 50

function interpretExport(
  { validate }: Pick<ExportRequest, 'validate'>,
  reply: Reply<ExportResult>,
): ExportOutcome {
  if (!reply.ok)
    return { kind: validate || isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
  const { status, location } = reply.value
  const messages = (reply.value.messages ?? []).filter(text => text.trim() !== '').slice(0, maxMessages)
  const file = location === undefined ? {} : { location }
  if (validate && location !== undefined)
    return { kind: 'warned', ...file, messages: [exportedAnyway, ...messages] }
  if (!validate && location === undefined)
    return {
      kind: 'unknown',
      failure: { kind: 'not-understood', status: 200, reason: 'no-export-location' },
    }
  return status === 'success'
    ? { kind: 'done', ...file, ...(messages.length > 0 && { messages }) }
    : { kind: 'warned', ...file, messages }
}

/** The warning about a service that does not know the parameter `validate`. */
const exportedAnyway = 'only a check was requested, but the service reported an export file'

/**
 * Deletes all webhooks of one service, permanently. Does not ask for consent. Sends the request once: a retry would also
 * delete webhooks created in between. The one exception is a rejected token, which proves that nothing was done: then the
 * request is sent once more if there is a newer token. Service §4.2.
 */
export async function deleteAll(
  request: WithToken<WebhooksRequest>,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<DeleteOutcome> {
  const { token, service } = request
  const context = { ports, options, failed: notTaken<DeleteOutcome>, mayRepeat: isTokenRejected }
  return withSecrets({ token }, context, async (secrets, token): Promise<DeleteOutcome> => {
    const reply = await ports.client.deleteAll({ service, token }, secrets, withoutCancellation(options))
    if (reply.ok) return { kind: 'done' }
    return { kind: isCertain(reply.error) ? 'not-taken' : 'unknown', failure: reply.error }
  })
}

/** The result of listing webhooks. Not every site reports them; a deletion is possible without the list. */
export type WebhooksListing =
  | UnsentOutcome
  /** No connection could be made. */
  | { readonly kind: 'not-reached'; readonly failure: ServiceFailure }
  | { readonly kind: 'listed'; readonly webhooks: ListedWebhooks }
  /** The site did not list them; with the failure, if there was one. */
  | { readonly kind: 'not-said'; readonly failure?: ServiceFailure }

/** Lists the webhooks of a service; only reads. */
export async function listWebhooks(
  request: WithToken<WebhooksRequest>,
  ports: OneShotPorts,
  options: OneShotOptions,
): Promise<WebhooksListing> {
  const { token, service } = request
  const failed = (failure: ServiceFailure): WebhooksListing => ({ kind: 'not-said', failure })
  return withSecrets(
    { token },
    { ports, options, failed },
    async (secrets, token): Promise<WebhooksListing> => {
      const reply = await ports.client.webhooks({ service, token }, secrets, options)
      if (options.signal.aborted) return { kind: 'interrupted' }
      if (reply.ok)
        return reply.value === undefined ? { kind: 'not-said' } : { kind: 'listed', webhooks: reply.value }
      const { error: failure } = reply
      return { kind: failure.kind === 'not-sent' ? 'not-reached' : 'not-said', failure }
    },
  )
}

const notTaken = <T>(failure: ServiceFailure) => ({ kind: 'not-taken', failure }) as T

interface WantedSecrets {
  readonly token: NeededSecret | undefined
  readonly others?: readonly (NeededSecret | undefined)[]
}

interface CallContext<T> {
  readonly ports: OneShotPorts
  readonly options: OneShotOptions
  /** Builds the result for a call without a token, if none can be obtained. */
  failed(failure: ServiceFailure): T
  /** True if nothing was done: repeating the call with newer secrets is safe. */
  mayRepeat?(result: NoInfer<T>): boolean
}

/**
 * Runs one call with its secrets, which are wiped in any case; sends nothing if one is missing. Repeats the call once if
 * that is allowed and the secrets have changed since.
 */
async function withSecrets<T>(
  { token, others = [] }: WantedSecrets,
  { ports, options, failed, mayRepeat }: CallContext<T>,
  request: (secrets: Secrets, token: TokenPlace | undefined) => Promise<T>,
): Promise<T | UnsentOutcome> {
  const { signIn } = ports
  const named = [...others, signIn === undefined ? token : undefined].filter(one => one !== undefined)
  const call = (secrets: Secrets) => request(secrets, token)
  const resolved = await resolve(named, ports.secrets)
  if (!resolved.ok) return { kind: 'references', diagnostics: resolved.error }
  // The call wipes the secrets it gets.
  const sent = mayRepeat === undefined ? new Map() : copySecrets(resolved.value.secrets)
  try {
    if (options.signal.aborted) return { kind: 'interrupted' }
    if (signIn !== undefined)
      return await retryWithNewToken<T>(signIn, {
        with: async (given, lack) =>
          lack === undefined
            ? request(
                addToken(copySecrets(resolved.value.secrets), given),
                given && { pointer: tokenPointer },
              )
            : failed(toSignInFailure(lack)),
        wasRejected: result => mayRepeat?.(result) === true,
      })
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
function withoutCancellation({ deadlineMs }: OneShotOptions): OneShotOptions {
  return { deadlineMs, signal: new AbortController().signal }
}

/** True if the token was rejected, and so nothing was done. */
function isTokenRejected(outcome: ExportOutcome | DeleteOutcome): boolean {
  return outcome.kind === 'not-taken' && isTokenRejection(outcome.failure)
}

function copySecrets(secrets: Secrets): Secrets {
  return new Map([...secrets].map(([pointer, { bytes }]) => [pointer, new Secret(Buffer.from(bytes))]))
}

function addToken(secrets: Secrets, token: Secret | undefined): Secrets {
  return token === undefined
    ? secrets
    : new Map([...secrets, [tokenPointer, new Secret(Buffer.from(token.bytes))]])
}

function areSame(some: Secrets, others: Secrets): boolean {
  return [...some].every(([pointer, { bytes }]) => others.get(pointer)?.bytes.equals(bytes) === true)
}
