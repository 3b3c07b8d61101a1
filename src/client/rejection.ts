import { tokenErrorCodes } from '../contract/field-notes.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import type { ServiceFailure } from './failure.js'
import { toText } from './json.js'

/** The content of an error body in any of the known shapes. */
interface ErrorBody {
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
export function findRejection(body: JsonObject, status: number): ServiceFailure | undefined {
  const said = parseErrorBody(body) ?? parseFailedStatus(body)
  if (said === undefined) return undefined
  const { code } = said
  if (code !== undefined && isOfGateway(code)) return { kind: 'trouble', status, ...said }
  const isAboutToken = code !== undefined && aboutToken.includes(code)
  return { kind: isAboutToken ? 'unauthorized' : 'refused', status, ...said }
}

/** The text in a JSON object that is no error body of the service but speaks of an error, as gateways do. */
export function findErrorText(body: JsonObject): string | undefined {
  const { error, message } = body
  const texts = [error, message].filter(text => typeof text === 'string' && text.trim() !== '')
  return texts.length === 0 ? undefined : texts.join(': ')
}

/** True for a status or code that a proxy may set: it proves nothing about the service. RFC 9110 §15. */
export function isOfGateway(code: number): boolean {
  return gatewayCodes.includes(code) || (code > 500 && code < 600)
}

const aboutToken: readonly number[] = [401, 403, ...Object.values(tokenErrorCodes)]
/** Sign-in at a proxy, time-outs, another server, too early, too many requests. */
const gatewayCodes: readonly number[] = [407, 408, 421, 425, 429]

/** The error body of Service §2.2. One of a message or a code has to be there. */
function parseErrorBody({ error }: JsonObject): ErrorBody | undefined {
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
  }
}

/** The other error bodies that public sources report. An answer of a Kubernetes API has the same word, and is not the service's. */
function parseFailedStatus(body: JsonObject): ErrorBody | undefined {
  const { status, messages, statusMessage, message, kind } = body
  if (typeof status !== 'string' || !failedWords.includes(status.toLowerCase()) || kind === 'Status')
    return undefined
  const code = parseCode(body['code'])
  const texts = [...parseDetails(messages), ...parseDetails(statusMessage), ...parseDetails(message)]
  const details = parseDetails(body['details'])
  return {
    ...(code !== undefined && { code }),
    message: texts.join(' '),
    ...(details.length > 0 && { details }),
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
