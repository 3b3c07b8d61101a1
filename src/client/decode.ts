import { results } from '../contract/states.js'
import type { Result } from '../result.js'
import { checkResponse } from '../schema/check-response.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import type { ResponseName } from '../schema/response-schemas.js'
import { type Reply, type ServiceFailure, toFailure, type UnexpectedResponse } from './failure.js'
import { parseJson } from './json.js'
import type { HttpAnswer } from './message.js'
import { findErrorText, findRejection } from './rejection.js'

const maxPageBytes = 64 * 1024
const signs = [
  /<title>[^<]{0,200}\b(?:sign|log)[- ]?[io]n\b/i,
  /<input\b[^>]{0,500}\btype\s*=\s*["']?password/i,
]

/** An answer of the documented shape to an operation, or what else it is. */
export function decode(name: Exclude<ResponseName, 'root' | 'error'>, answer: HttpAnswer): Reply<JsonObject> {
  const read = decodeObject(answer)
  if (!read.ok) return read
  const body = read.value
  const [problem] = isBareSuccess(name, body) ? [] : checkResponse(name, body)
  if (problem === undefined) return read
  return rejectResponse({ status: answer.status, reason: 'unexpected-shape', at: problem.instancePath }, body)
}

/** `{"success": true}`, with which some operations answer. Public sources. */
function isBareSuccess(name: ResponseName, { status, success }: JsonObject): boolean {
  return name === 'done' && success === true && (status ?? results.success) === results.success
}

/** The JSON object that an answer is, where it does not say of itself that it is no answer. */
export function decodeObject(answer: HttpAnswer): Reply<JsonObject> {
  const { status, bytes } = answer
  const body = parseJson(bytes)
  const failure = findFailure(answer, body)
  if (failure !== undefined) return toFailure(failure)
  if (!isObject(body)) {
    if (isLoginPage(bytes)) return toFailure({ kind: 'sign-in-page', status })
    return rejectResponse({ status, reason: 'not-a-json-object' })
  }
  if (status < 300) return { ok: true, value: body }
  return rejectResponse({ status, reason: 'unexpected-status' }, body)
}

/** Makes the failure of an answer of none of the documented shapes, with the error text that it contains. */
export function rejectResponse(
  response: Pick<UnexpectedResponse, 'status' | 'reason' | 'at'>,
  body: JsonObject = {},
): Result<never, ServiceFailure> {
  const message = findErrorText(body)
  return toFailure({ kind: 'not-understood', ...response, ...(message !== undefined && { message }) })
}

/** True for an HTML page with a login title or a password field. Reported: a site may send one instead of JSON. */
function isLoginPage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, maxPageBytes).toString('latin1')
  return /^\s*(?:\u00ef\u00bb\u00bf)?\s*</.test(start) && signs.some(sign => sign.test(start))
}

/** Finds the failure in an answer: an error body under any status, a redirect, a status that means an error. */
export function findFailure(
  answer: HttpAnswer,
  body: JsonValue | undefined = parseJson(answer.bytes),
): ServiceFailure | undefined {
  const { status, isEncoded, redirect } = answer
  if (status >= 300 && status < 400) return { kind: 'redirected', status, ...redirect }
  const rejection = isObject(body) ? findRejection(body, status) : undefined
  const isUnavailable = rejection?.kind === 'trouble' || asksToWait.includes(status)
  if (rejection !== undefined && (!isUnavailable || rejection.kind === 'unauthorized')) return rejection
  const words = isObject(body) ? findErrorText(body) : undefined
  if (isUnavailable || status >= 500)
    return toUnavailable(answer, rejection ?? (words ? { message: words } : {}))
  if (status === 401 || status === 403) return { kind: 'unauthorized', status, message: words ?? '' }
  return isEncoded ? { kind: 'not-understood', status, reason: 'compressed' } : undefined
}

function toUnavailable({ status, retryAfterMs }: HttpAnswer, said: object): ServiceFailure {
  return { ...said, kind: 'trouble', status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Statuses after which the same request may succeed later, with any body. */
const asksToWait: readonly number[] = [408, 425, 429, 503]
