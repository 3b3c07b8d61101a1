import { isOfGateway as isCodeOfGateway } from '../contract/error-body.js'
import { tokenErrorCodes } from '../contract/field-notes.js'
import { results } from '../contract/responses.js'
import { joinTexts } from '../plan/observation.js'
import type { Result } from '../result.js'
import { checkResponse } from '../schema/check.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import type { ResponseName } from '../schema/response-schemas.js'
import { type AnswerFacts, asksToWait, type FoundCause, findCause, kindOf } from './answer-cause.js'
import {
  type ErrorForm,
  type Reply,
  type Sender,
  type ServiceFailure,
  toFailure,
  type UnexpectedResponse,
} from './failure.js'
import type { HttpAnswer } from './message.js'

/** Decodes the response to an operation, if it has the documented shape. */
export function decode(name: Exclude<ResponseName, 'root' | 'error'>, answer: HttpAnswer): Reply<JsonObject> {
  const read = decodeObject(answer)
  if (!read.ok) return read
  const body = normalizeResult(read.value)
  const { success, status = results.success } = body
  // `{"success": true}` is the response of some operations. Public sources.
  const isBareSuccess = name === 'done' && success === true && (status ?? results.success) === results.success
  const [problem] = isBareSuccess ? [] : checkResponse(name, body)
  if (problem === undefined) return { ok: true, value: body }
  return rejectResponse({ status: answer.status, reason: 'unexpected-shape', at: problem.instancePath }, body)
}

/** Accepts the status of a result in any letter case, and a single text as its list of messages: neither casts doubt on it. */
function normalizeResult({ status, messages, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    ...(status !== undefined && { status: typeof status === 'string' ? status.toLowerCase() : status }),
    ...(messages !== undefined && { messages: typeof messages === 'string' ? [messages] : messages }),
  }
}

/** Decodes a response as a JSON object, unless it reports a failure. */
export function decodeObject(answer: HttpAnswer): Reply<JsonObject> {
  const { status, bytes } = answer
  const body = parseJson(bytes)
  const failure = findFailure(answer, body)
  if (failure !== undefined) return toFailure(failure)
  if (isObject(body) && status < 300) return { ok: true, value: body }
  const reason = isObject(body) ? 'unexpected-status' : 'not-a-json-object'
  const facts = collectAnswerFacts(answer, body)
  const place = facts.form === 'text' ? findBreak(answer) : undefined
  return rejectResponse(
    { status, reason, ...(place && { place }), ...describeSender(answer, findCause(facts)) },
    isObject(body) ? body : readPage(answer),
  )
}

/** Builds the failure for a response without a documented shape, with the error text in it. */
export function rejectResponse(
  response: Omit<UnexpectedResponse, 'kind' | 'message' | 'details'>,
  body: JsonObject = {},
): Result<never, ServiceFailure> {
  const message = findErrorText(body)
  return toFailure({ kind: 'not-understood', ...response, ...(message !== undefined && { message }) })
}

/** Removing tags takes quadratic time. */
const maxReadBytes = 4096
/** More than any report shows. Reports truncate after the redaction, because a truncated secret would not be recognized. */
const maxWords = 2000

/** Reads the first words of a body that is not JSON: the title of a page, or else its text. */
function readPage({ bytes }: HttpAnswer): { readonly message?: string } {
  if (parseJson(bytes) !== undefined) return {}
  const text = bytes.toString('utf8', 0, maxReadBytes).replace(/^\ufeff/, '')
  const [, title = ''] = /<title>([^<]*)/i.exec(text) ?? []
  const visible = /^\s*</.test(text) ? text.replaceAll(/<[^>]*>/g, ' ') : text
  const [words = ''] = [title, visible].map(one => one.replaceAll(/\s+/g, ' ').trim()).filter(Boolean)
  return words === '' ? {} : { message: words.slice(0, maxWords) }
}

/** Finds the failure in a response: an error body under any status, or a cause outside the service. */
export function findFailure(
  answer: HttpAnswer,
  body: JsonValue | undefined = parseJson(answer.bytes),
): ServiceFailure | undefined {
  const { status, encoding, isCached, redirect, retryAfterMs } = answer
  const isRedirect = status >= 300 && status < 400
  const said = isObject(body) && !isRedirect ? findRejection(body, status) : undefined
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (said?.kind === 'refused' && asksToWait.includes(status)) return { ...said, kind: 'trouble', ...pause }
  if (said !== undefined) return said.kind === 'trouble' ? { ...said, ...pause } : said
  const cause = findCause(collectAnswerFacts(answer, body))
  const kind = cause === undefined ? undefined : kindOf(cause, status)
  const sender = describeSender(answer, cause)
  const words = isRedirect ? undefined : findErrorText(isObject(body) ? body : readPage(answer))
  switch (kind) {
    case 'redirected': {
      const { to, ...where } = redirect ?? {}
      return { kind, status, ...sender, ...(to && to !== 'sign-in' && { to }), ...where }
    }
    case 'unauthorized':
      return {
        kind,
        status,
        message: words ?? '',
        ...sender,
        ...(redirect?.target && { target: redirect.target }),
      }
    case 'trouble':
      return { kind, status, ...(words && { message: words }), ...sender, ...pause }
    case undefined:
      if (isCached && isObject(body)) return { kind: 'not-understood', status, reason: 'cached' }
      return encoding === undefined
        ? undefined
        : { kind: 'not-understood', status, reason: 'compressed', message: `content-encoding: ${encoding}` }
    default:
      return kind satisfies never
  }
}

/** The beginning of a page that is searched for its cause. */
const maxPageBytes = 64 * 1024

function collectAnswerFacts(answer: HttpAnswer, body: JsonValue | undefined): AnswerFacts {
  const text = body === undefined ? answer.bytes.subarray(0, maxPageBytes).toString('latin1') : ''
  const isEmpty = text.trim() === ''
  const isHtml = /^\s*(?:\u00ef\u00bb\u00bf)?\s*</.test(text)
  const form = body !== undefined ? 'json' : isEmpty ? 'empty' : isHtml ? 'html' : 'text'
  const { status, realm, redirect, hadToken, sentBytes } = answer
  return { status, form, text, realm, redirect, hadToken, sentBytes }
}

/** Describes the sender of a response that is not the service's own. */
function describeSender(
  { server, realm, hadToken, sentBytes }: HttpAnswer,
  cause: FoundCause | undefined,
): Sender {
  if (cause === undefined || cause === 'token') return {}
  return {
    cause,
    ...(server !== undefined && { server }),
    ...(cause === 'proxy-account' && realm !== undefined && { realm }),
    ...(hadToken && { hadToken }),
    ...(cause === 'too-large' && sentBytes !== undefined && { sentBytes }),
  }
}

/** The content of an error body in any of the known shapes. */
interface ErrorBody extends ErrorForm {
  readonly code?: number
  readonly message: string
  readonly details?: readonly string[]
}

/** Limits the length of an event. */
const maxDetails = 20

/**
 * Finds a rejection in a body: the error body of Service §2.2, even with its code as text or absent, or a form that
 * public sources report.
 */
function findRejection(body: JsonObject, status: number): ServiceFailure | undefined {
  const said = parseErrorBody(body) ?? parseFailedStatus(body)
  if (said === undefined) return undefined
  const { code } = said
  if (code !== undefined && isCodeOfGateway(code)) return { kind: 'trouble', status, ...said }
  const isAboutToken = code !== undefined && aboutToken.includes(code)
  return { kind: isAboutToken ? 'unauthorized' : 'refused', status, ...said }
}

/** Finds the text of an error in a JSON object that is not an error body of the service, such as gateways send. */
function findErrorText(body: JsonObject): string | undefined {
  const { error, message } = body
  const texts = [error, message].filter(text => typeof text === 'string' && text.trim() !== '')
  return texts.length === 0 ? undefined : texts.join(': ')
}

/** The codes for a missing or invalid token, or an insufficient role. */
export const aboutToken: readonly number[] = [401, 403, ...Object.values(tokenErrorCodes)]

/** Parses the error body of Service §2.2, which has at least a message or a code. */
function parseErrorBody({ error, ...others }: JsonObject): ErrorBody | undefined {
  if (!isObject(error)) return undefined
  const code = parseCode(error['code'])
  const details = parseDetails(error['details'])
  const { message } = error
  const hasWords = (typeof message === 'string' && message.trim() !== '') || details.length > 0
  if (!hasWords && code === undefined) return undefined
  return {
    ...(code !== undefined && { code }),
    message: typeof message === 'string' ? message : toText(message ?? ''),
    ...(details.length > 0 && { details }),
    ...(isDocumented(error, others) ? {} : { isUndocumented: true as const }),
  }
}

/**
 * Tests for the error members of Service §2.2 with their types; public sources also report texts as details. An error beside
 * a `status` does not count: it may come from a site that has begun.
 */
function isDocumented({ code, message, details }: JsonObject, { status }: JsonObject): boolean {
  const isDetails = details === null || [details].flat().every(one => typeof one === 'string')
  return (
    status === undefined &&
    Number.isInteger(code) &&
    typeof message === 'string' &&
    message.trim() !== '' &&
    isDetails
  )
}

/**
 * Parses the other error bodies that public sources report: a `status` that means failure, or only a code and a message.
 * Excludes the `Status` object of a Kubernetes API, which looks alike.
 */
function parseFailedStatus(body: JsonObject): ErrorBody | undefined {
  const { status, messages, statusMessage, message, kind } = body
  const code = parseCode(body['code'])
  const isFailed = typeof status === 'string' && failedWords.includes(status.toLowerCase())
  const isBare = status === undefined && code !== undefined && code >= 400 && typeof message === 'string'
  if ((!isFailed && !isBare) || kind === 'Status') return undefined
  const texts = [...parseDetails(messages), ...parseDetails(statusMessage), ...parseDetails(message)]
  const details = parseDetails(body['details'])
  return {
    ...(code !== undefined && { code }),
    message: joinTexts(texts),
    ...(details.length > 0 && { details }),
    isUndocumented: true,
  }
}

const failedWords: readonly string[] = ['error', 'failed', 'failure']

/** Parses a code, a number or a text, as an integer. */
function parseCode(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return /^\d{1,6}$/.test(value) ? Number(value) : undefined
  return Number.isInteger(value) ? Number(value) : undefined
}

/** Parses details as texts, without those that are null or blank. */
function parseDetails(value: JsonValue | undefined): readonly string[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value.slice(0, maxDetails) : [value ?? null]
  return list
    .filter(entry => entry !== null && !(isObject(entry) && Object.keys(entry).length === 0))
    .map(toText)
    .filter(text => text.trim() !== '')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Matches strings, which stay unchanged, and versions such as 10.9.1 without quotes, which public sources show. */
const bareVersion = /"(?:[^"\\]|\\.)*"?|(?<![\w.])\d{1,6}(?:\.\d{1,6}){2,4}(?![\w.])/gs

/** Parses the JSON of a response, with or without a byte order mark (RFC 8259 §8.1). Accepts versions without quotes. */
export function parseJson(bytes: Buffer): JsonValue | undefined {
  try {
    const text = utf8.decode(bytes)
    return (
      tryParse(text) ??
      tryParse(text.replaceAll(bareVersion, one => (one.startsWith('"') ? one : `"${one}"`)))
    )
  } catch {
    return undefined
  }
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** Finds the place where a text stops being JSON; `undefined` if nothing of it is JSON, or it is too long to search. */
function findBreak({ bytes }: HttpAnswer): UnexpectedResponse['place'] {
  if (bytes.byteLength > maxPageBytes) return undefined
  const text = bytes.toString()
  let [whole, broken] = [0, text.length + 1]
  while (broken - whole > 1) {
    const middle = (whole + broken) >> 1
    if (mayContinue(text.slice(0, middle))) whole = middle
    else broken = middle
  }
  const lines = text.slice(0, whole).split('\n')
  return whole === 0 ? undefined : { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** Tests for the beginning of a JSON text: the parser objects only to its end. */
function mayContinue(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    const [, at] = /position (\d+)/.exec(message) ?? []
    return at === undefined ? message.startsWith('Unexpected end') : Number(at) === text.length
  }
}

/** Converts a value that should be a text. `String` would fail on some objects and on lists nested too deep. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return '[unprintable]'
  }
}
