import { answer, errorBody, formatAnswer } from '../service/answers.js'
import type { ServiceRequest, ServiceResponse } from '../service/request.js'
import type { Answer, Ending } from './delivery.js'
import type { Fault } from './fault.js'
import { isHere } from './request-words.js'

const webPage = '<!DOCTYPE html>\n<title>Sign in</title>\n<h1>Sign in</h1>\n'
/** Every value is of another type than the document shows. Service §2.3. */
const wrongShape = '{"fullVersion":11,"resources":"orgs","currentVersion":"11","status":[],"info":null}'

/** What the service itself answers. */
export function answerOf(response: ServiceResponse): Answer {
  const answer = textAnswer(response.httpStatus, 'application/json; charset=utf-8', formatAnswer(response))
  return response.allow === undefined ? answer : withHeaders(answer, { allow: response.allow.join(', ') })
}

/** The ending of a fault that does not need the answer of the service; undefined for those that change that. */
export function ownEnding(fault: Fault, request: ServiceRequest): Ending | undefined {
  switch (fault.kind) {
    case 'drop':
      return { kind: 'silence', end: 'close' }
    case 'reset':
      return { kind: 'silence', end: 'reset' }
    case 'hang':
      return { kind: 'silence', end: 'never' }
    case 'html':
      return textAnswer(fault.httpStatus, 'text/html; charset=utf-8', webPage)
    case 'error':
      return answerOf(answer(request, errorBody(fault.code, fault.message)))
    case 'status':
      return statusAnswer(fault, request)
    case 'redirect':
      // Also for rules that were not read from text: a double sends nobody anywhere else.
      return withHeaders(textAnswer(fault.httpStatus, 'text/html; charset=utf-8', ''), {
        location: isHere(fault.location) ? fault.location : '/',
      })
    default:
      return undefined
  }
}

/** The answer of the service after a fault. */
export function changed(answer: Answer, fault: Fault | undefined): Answer {
  switch (fault?.kind) {
    case 'delay':
      return fault.point === 'after' ? { ...answer, waitMs: fault.ms } : answer
    case 'truncate':
      return { ...answer, cutAfterBytes: fault.bytes }
    case 'slow':
      return { ...answer, bytesPerSecond: fault.bytesPerSecond }
    case 'length':
      return { ...answer, announcedBytes: Math.max(0, contentLength(answer) + fault.by) }
    case 'garbage':
      return garbled(answer)
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

/** How many bytes the content has. */
export function contentLength({ content }: Answer): number {
  return content.kind === 'bytes' ? content.bytes.length : content.totalBytes
}

function statusAnswer(
  { httpStatus, retryAfter, body }: Extract<Fault, { readonly kind: 'status' }>,
  request: ServiceRequest,
): Answer {
  const error = errorBody(httpStatus, 'The service is in trouble.')
  const plain =
    body === 'json'
      ? answerOf(answer(request, error, httpStatus))
      : textAnswer(httpStatus, 'application/json; charset=utf-8', '')
  return retryAfter === undefined ? plain : withHeaders(plain, { 'retry-after': String(retryAfter) })
}

/** The text without its last third: a JSON value never ends so. */
function garbled(answer: Answer): Answer {
  const { content } = answer
  if (content.kind !== 'bytes') return answer
  const kept = content.bytes.subarray(0, Math.floor((content.bytes.length * 2) / 3))
  return { ...answer, content: { kind: 'bytes', bytes: kept } }
}

function textAnswer(httpStatus: number, contentType: string, text: string): Answer {
  const content = { kind: 'bytes', bytes: Buffer.from(text) } as const
  return { kind: 'answer', httpStatus, headers: { 'content-type': contentType }, content }
}

function withHeaders(answer: Answer, headers: Answer['headers']): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
