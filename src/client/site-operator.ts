import { operations, type ServiceName } from '../contract/operations.js'
import { isObject } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { Secret, Secrets } from '../secrets/secret.js'
import { get, send } from './connection.js'
import { decode, findFailure, parseJson, toText } from './decode.js'
import type { Reply } from './failure.js'
import type { HttpAnswer, HttpRequest } from './message.js'
import { redactMembers, redactReply, redactWords } from './redact/redacted.js'
import { redactAlso, redactionFor } from './redact/redactor.js'
import { direct, type Redaction, type Route } from './route.js'
import type { CallOptions } from './site-client.js'
import { createRouteRedaction } from './site-reader.js'
import { type FormField, withForm } from './wire/form.js'
import {
  buildDeleteAllFields,
  buildDeleteAllPath,
  buildExportFields,
  buildWebhooksPath,
  type ExportRequest,
  type TokenPlace,
} from './wire/form-requests.js'

/** The service that has the webhooks, and the token. Contains a reference, never a secret. Service §4.2. */
export interface WebhooksRequest {
  readonly service: ServiceName
  readonly token?: TokenPlace | undefined
}

/** The response of the service to an export. Its texts are untrusted. Service §2.1. */
export interface ExportResult {
  readonly status: 'success' | 'success with warning'
  readonly location?: string
  readonly messages?: readonly string[]
}

/** The one-shot operations. No call is ever repeated here. */
export interface SiteOperator {
  /** Exports the site, or only checks whether it can be exported. Service §4.1. */
  exportSite(request: ExportRequest, secrets: Secrets, options: CallOptions): Promise<Reply<ExportResult>>
  /** Deletes all webhooks of one service, for good. Service §4.2. */
  deleteAll(request: WebhooksRequest, secrets: Secrets, options: CallOptions): Promise<Reply<void>>
  /** Lists the webhooks of a service; `undefined` if the response has no known shape. Public sources. */
  webhooks(
    request: WebhooksRequest,
    secrets: Secrets,
    options: CallOptions,
  ): Promise<Reply<ListedWebhooks | undefined>>
}

/** Creates a client for the one-shot operations. */
export function siteOperator(url: string, route: Route = direct): SiteOperator {
  const post = (
    operation: 'exportSite' | 'deleteAll',
    fields: readonly FormField[],
    request: CallOptions & Pick<HttpRequest, 'path' | 'hasToken'>,
  ) => {
    const { method } = operations[operation]
    return withForm(fields, body => send({ method, url, body, route, ...request }))
  }
  // Created before the request, which wipes its secrets.
  const redactionWith = (secrets: Secrets): (() => Promise<Redaction>) => {
    const sent = redactionFor(secrets)
    return async () => redactAlso(await createRouteRedaction(route), sent)
  }
  return {
    async exportSite(request, secrets, options) {
      const fields = buildExportFields(request, findSecret(secrets))
      const redacting = redactionWith(secrets)
      const { path } = operations.exportSite
      const hasToken = request.token !== undefined
      const answer = await post('exportSite', fields, { path, hasToken, ...options })
      const result = answer.ok ? decode('exportResult', answer.value) : answer
      const redaction = await redacting()
      if (!result.ok) return redactReply(result, redaction)
      const { status, ...texts } = result.value as unknown as ExportResult
      return { ok: true, value: { status, ...redactMembers(texts, redaction) } }
    },
    async deleteAll({ service, token }, secrets, options) {
      const fields = buildDeleteAllFields(token, findSecret(secrets))
      const redacting = redactionWith(secrets)
      const path = buildDeleteAllPath(service)
      const answer = await post('deleteAll', fields, { path, hasToken: token !== undefined, ...options })
      const done = answer.ok ? decode('done', answer.value) : answer
      return done.ok ? { ok: true, value: undefined } : redactReply(done, await redacting())
    },
    async webhooks({ service, token }, secrets, options) {
      const answer = await get({
        url,
        route,
        path: buildWebhooksPath(service),
        token: token && findSecret(secrets)(token.pointer),
        ...options,
      })
      const redaction = await redactionWith(secrets)()
      if (!answer.ok) return redactReply(answer, redaction)
      const failure = findFailure(answer.value)
      if (failure !== undefined) return redactReply({ ok: false, error: failure }, redaction)
      return { ok: true, value: parseWebhooks(answer.value, redaction) }
    },
  }
}

function findSecret(secrets: Secrets): (pointer: JsonPointer) => Secret {
  return pointer => {
    const secret = secrets.get(pointer)
    if (secret === undefined) throw new Error(`not resolved: ${pointer}`)
    return secret
  }
}

/** The webhooks of a service as a site lists them. Names are untrusted, redacted, and limited in number. */
export interface ListedWebhooks {
  readonly count: number
  readonly names: readonly string[]
}

const maxNames = 20
const maxNameCharacters = 200

/**
 * Parses the webhooks in a response; `undefined` if it is no list of a known shape. The service document does not show the
 * record of a webhook (Service §2.8). Public sources report a name and an id, and both a bare list and one in `webhooks`.
 */
function parseWebhooks({ status, bytes }: HttpAnswer, redaction: Redaction): ListedWebhooks | undefined {
  const body = parseJson(bytes)
  const list: unknown = isObject(body) ? body['webhooks'] : body
  if (status !== 200 || !Array.isArray(list) || !list.every(isObject)) return undefined
  const names = list.slice(0, maxNames).map(({ name, id }) => toText(name ?? id ?? null))
  return {
    count: list.length,
    names: redactWords(names, redaction).map(name => name.slice(0, maxNameCharacters)),
  }
}
