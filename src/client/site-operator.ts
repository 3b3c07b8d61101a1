import { operations } from '../contract/operations.js'
import type { ServiceName } from '../contract/service-name.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Secrets } from '../secrets/resolve.js'
import type { Secret } from '../secrets/secret.js'
import type { WantedSecret } from '../secrets/wanted.js'
import { bearer } from './bearer.js'
import { decode, failureIn } from './decode.js'
import { type ListedWebhooks, webhooksIn } from './decode-webhooks.js'
import { failed, type Reply } from './failure.js'
import { get } from './get.js'
import { send } from './http.js'
import { direct, type Route } from './route.js'
import { deleteAllFields } from './wire/delete-all-fields.js'
import { type ExportRequest, exportFields } from './wire/export-fields.js'
import type { FormField } from './wire/form.js'
import { lentForm } from './wire/lent-form.js'
import { deleteAllPath, webhooksPath } from './wire/service-path.js'
import { blottedFailure, blotterFor } from './without-secrets.js'

/** Whose webhooks, and who asks. Holds a reference, never a secret. Service §4.2. */
export interface WebhooksRequest {
  readonly service: ServiceName
  readonly token?: WantedSecret | undefined
}

/** What the service answers to an export. Its texts are untrusted. Service §2.1. */
export interface ExportResult {
  readonly status: 'success' | 'success with warning'
  readonly location?: string
  readonly messages?: readonly string[]
}

/** How long a call may take. */
export interface CallOptions {
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** The one-shot operations. No call is ever repeated here. */
export interface SiteOperator {
  /** Exports the site, or checks whether it could be. Service §4.1. */
  exportSite(request: ExportRequest, secrets: Secrets, options: CallOptions): Promise<Reply<ExportResult>>
  /** Deletes all webhooks of one service, for good. Service §4.2. */
  deleteAll(request: WebhooksRequest, secrets: Secrets, options: CallOptions): Promise<Reply<void>>
  /** Only looks. Nothing where the site does not say it in a shape we know (public sources). */
  webhooks(
    request: WebhooksRequest,
    secrets: Secrets,
    options: CallOptions,
  ): Promise<Reply<ListedWebhooks | undefined>>
}

/** A client for the one-shot operations. */
export function siteOperator(url: string, route: Route = direct): SiteOperator {
  const post = (
    operation: 'exportSite' | 'deleteAll',
    { path, fields }: { readonly path: string; readonly fields: readonly FormField[] },
    options: CallOptions,
  ) => {
    const { method } = operations[operation]
    return lentForm(fields, body => send({ method, url, path, body, route, ...options }))
  }
  return {
    async exportSite(request, secrets, options) {
      const fields = exportFields(request, secretIn(secrets))
      const blot = blotterFor(secrets.values())
      const answer = await post('exportSite', { path: operations.exportSite.path, fields }, options)
      if (!answer.ok) return answer
      const result = decode('exportResult', answer.value)
      if (!result.ok) return failed(blottedFailure(result.failure, blot))
      const { location, messages, ...value } = result.value as unknown as ExportResult
      const texts = {
        ...(location !== undefined && { location: blot(location) }),
        ...(messages !== undefined && { messages: messages.map(blot) }),
      }
      return { ok: true, value: { ...value, ...texts } }
    },
    async deleteAll({ service, token }, secrets, options) {
      const fields = deleteAllFields(token, secretIn(secrets))
      const blot = blotterFor(secrets.values())
      const answer = await post('deleteAll', { path: deleteAllPath(service), fields }, options)
      if (!answer.ok) return answer
      const done = decode('done', answer.value)
      return done.ok ? { ok: true, value: undefined } : failed(blottedFailure(done.failure, blot))
    },
    async webhooks({ service, token }, secrets, options) {
      const authorization = token === undefined ? undefined : bearer(secretIn(secrets)(token.pointer))
      const answer = await get({
        url,
        route,
        path: `${webhooksPath(service)}?f=json`,
        ...(authorization !== undefined && { authorization }),
        ...options,
      })
      if (!answer.ok) return answer
      const failure = failureIn(answer.value)
      if (failure === undefined) return { ok: true, value: webhooksIn(answer.value) }
      return failed(blottedFailure(failure, blotterFor(secrets.values())))
    },
  }
}

function secretIn(secrets: Secrets): (pointer: JsonPointer) => Secret {
  return pointer => {
    const secret = secrets.get(pointer)
    if (secret === undefined) throw new Error(`not resolved: ${pointer}`)
    return secret
  }
}
