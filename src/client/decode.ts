import { tokenErrorCodes } from '../contract/field-notes.js'
import { checkResponse } from '../schema/check-response.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import type { ResponseName } from '../schema/response-schemas.js'
import { failed, type Reply, type ServiceFailure } from './failure.js'
import type { HttpAnswer } from './http.js'
import { parseJson } from './parse-json.js'

const mostPageBytes = 64 * 1024
const signs = [
  /<title>[^<]{0,200}\b(?:sign|log)[- ]?[io]n\b/i,
  /<input\b[^>]{0,500}\btype\s*=\s*["']?password/i,
]

/** An answer of the documented shape, or what else it is. */
export function decode(name: ResponseName, answer: HttpAnswer): Reply<JsonObject> {
  const { status } = answer
  const body = parseJson(answer.bytes)
  const failure = failureIn(answer, body)
  if (failure !== undefined) return failed(failure)
  if (!isObject(body)) {
    const reason = isLoginPage(answer.bytes) ? loginPage : 'it is no JSON object'
    return failed({ kind: 'not-understood', status, reason })
  }
  const [problem] = checkResponse(name, body)
  if (problem === undefined && status < 300) return { ok: true, value: body }
  const reason =
    problem === undefined
      ? `its status is ${status}`
      : `it has another shape at ${problem.instancePath || 'the top'}`
  return failed({ kind: 'not-understood', status, reason })
}

/** The reason of an answer that is a page to sign in at. */
export const loginPage = 'it is a page to sign in at'

/** An HTML page that says so in its title or has a field for a password. Reported: such pages come in place of JSON. */
function isLoginPage(bytes: Buffer): boolean {
  const start = bytes.subarray(0, mostPageBytes).toString('latin1')
  return /^\s*</.test(start) && signs.some(sign => sign.test(start))
}

/** What says of itself that it is no answer: an error body under any status, a redirect, a status that means no. */
export function failureIn(
  { status, bytes, isEncoded, retryAfterMs }: HttpAnswer,
  body: JsonValue | undefined = parseJson(bytes),
): ServiceFailure | undefined {
  if (status >= 300 && status < 400) return { kind: 'redirected', status }
  const refusal = isObject(body) ? refusalIn(body, status) : undefined
  const isTrouble = refusal?.kind === 'unauthorized' ? false : asksToWait.includes(status)
  if (refusal !== undefined && !isTrouble) return refusal
  if (status === 401 || status === 403) return { kind: 'unauthorized', status, code: status, message: '' }
  if (isTrouble || status >= 500)
    return { kind: 'trouble', status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return isEncoded ? { kind: 'not-understood', status, reason: 'it is compressed, unasked' } : undefined
}

/** Too many requests, and not available now: whatever the body says, the same request may be taken later. */
const asksToWait: readonly number[] = [429, 503]

/** The error body of Service §2.2, and the other one that public sources report. */
function refusalIn(body: JsonObject, status: number): ServiceFailure | undefined {
  if (isObject(body['error']) && checkResponse('error', body).length === 0) {
    const { code, message } = body['error'] as { readonly code: number; readonly message: string }
    return refusalOf(status, code, message)
  }
  if (body['status'] !== 'error' && body['status'] !== 'failed') return undefined
  const messages: readonly JsonValue[] = Array.isArray(body['messages']) ? body['messages'] : []
  const code = Number.isInteger(body['code']) ? Number(body['code']) : 0
  return refusalOf(status, code, messages.map(asText).join(' '))
}

function refusalOf(status: number, code: number, message: string): ServiceFailure {
  const aboutToken = Object.values<number>(tokenErrorCodes).includes(code) || code === 401 || code === 403
  return { kind: aboutToken ? 'unauthorized' : 'refused', status, code, message }
}

/** What should be a text, as one. `String` would run into objects that are none and into bottomless lists. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '(no text)'
  }
}
