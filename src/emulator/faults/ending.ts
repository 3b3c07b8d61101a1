import { buildErrorBody, buildResponse, formatAnswer } from '../service/answers.js'
import type { ServiceRequest, ServiceResponse } from '../service/request.js'
import type { RequestEnding, SentAnswer } from './delivery.js'
import type { Fault } from './fault.js'
import { isOnThisMachine } from './request-words.js'

const webPage = '<!DOCTYPE html>\n<title>Sign in</title>\n<h1>Sign in</h1>\n'
/** Every value has another type than the document shows. Service §2.3. */
const wrongShape = '{"fullVersion":11,"resources":"orgs","currentVersion":"11","status":[],"info":null}'

/** Turns the response of the service into bytes. */
export function toSentAnswer(response: ServiceResponse): SentAnswer {
  const answer = buildTextAnswer(
    response.httpStatus,
    'application/json; charset=utf-8',
    formatAnswer(response),
  )
  return response.allow === undefined ? answer : addHeaders(answer, { allow: response.allow.join(', ') })
}

/** Makes the ending of a fault that replaces the answer of the service; undefined for faults that change the answer. */
export function buildFaultEnding(fault: Fault, request: ServiceRequest): RequestEnding | undefined {
  switch (fault.kind) {
    case 'drop':
      return { kind: 'silence', end: 'close' }
    case 'reset':
      return { kind: 'silence', end: 'reset' }
    case 'hang':
      return { kind: 'silence', end: 'never' }
    case 'html':
      return buildTextAnswer(fault.httpStatus, 'text/html; charset=utf-8', webPage)
    case 'error':
      return toSentAnswer(buildResponse(request, buildErrorBody(fault.code, fault.message)))
    case 'status':
      return buildStatusAnswer(fault, request)
    case 'redirect':
      // Also for rules that were not parsed from text: the emulator never redirects to another machine.
      return addHeaders(buildTextAnswer(fault.httpStatus, 'text/html; charset=utf-8', ''), {
        location: isOnThisMachine(fault.location) ? fault.location : '/',
      })
    default:
      return undefined
  }
}

/** Applies a fault to the answer of the service. */
export function applyAnswerFault(answer: SentAnswer, fault: Fault | undefined): SentAnswer {
  switch (fault?.kind) {
    case 'delay':
      return fault.point === 'after' ? { ...answer, waitMs: fault.ms } : answer
    case 'truncate':
      return { ...answer, cutAfterBytes: fault.bytes }
    case 'slow':
      return { ...answer, bytesPerSecond: fault.bytesPerSecond }
    case 'length':
      return { ...answer, announcedBytes: Math.max(0, countContentBytes(answer) + fault.by) }
    case 'garbage':
      return truncateContent(answer)
    case 'wrong-shape':
      return { ...answer, content: { kind: 'bytes', bytes: Buffer.from(wrongShape) } }
    case 'huge':
      return { ...answer, content: { kind: 'filler', totalBytes: fault.bytes } }
    case 'interim':
      return { ...answer, interim: { count: fault.count, everyMs: fault.everyMs } }
    default:
      return answer
  }
}

/** The size of the content in bytes. */
export function countContentBytes({ content }: SentAnswer): number {
  return content.kind === 'bytes' ? content.bytes.length : content.totalBytes
}

function buildStatusAnswer(
  { httpStatus, retryAfter, body }: Extract<Fault, { readonly kind: 'status' }>,
  request: ServiceRequest,
): SentAnswer {
  const error = buildErrorBody(httpStatus, 'The service is unavailable.')
  const plain =
    body === 'json'
      ? toSentAnswer(buildResponse(request, error, httpStatus))
      : buildTextAnswer(httpStatus, 'application/json; charset=utf-8', '')
  return retryAfter === undefined ? plain : addHeaders(plain, { 'retry-after': String(retryAfter) })
}

/** Cuts off the last third of the content, so that it is not valid JSON. */
function truncateContent(answer: SentAnswer): SentAnswer {
  const { content } = answer
  if (content.kind !== 'bytes') return answer
  const kept = content.bytes.subarray(0, Math.floor((content.bytes.length * 2) / 3))
  return { ...answer, content: { kind: 'bytes', bytes: kept } }
}

function buildTextAnswer(httpStatus: number, contentType: string, text: string): SentAnswer {
  const content = { kind: 'bytes', bytes: Buffer.from(text) } as const
  return { kind: 'answer', httpStatus, headers: { 'content-type': contentType }, content }
}

function addHeaders(answer: SentAnswer, headers: SentAnswer['headers']): SentAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
