import { buildErrorBody, buildResponse, formatAnswer } from '../service/answers.js'
import type { ServiceRequest, ServiceResponse } from '../service/request.js'
import type { Fault } from './fault.js'
import { isOnThisMachine } from './request-words.js'

/** Titles of the pages that gateways send. */
const titles: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** Builds a login page, or the page of a gateway that rejects a request. */
function buildPage(httpStatus: number): SentAnswer {
  const title = httpStatus < 400 ? 'Sign in' : `${httpStatus} ${titles[httpStatus] ?? 'Error'}`
  const page = `<!DOCTYPE html>\n<title>${title}</title>\n<h1>${title}</h1>\n`
  return buildTextAnswer(httpStatus, 'text/html; charset=utf-8', page)
}

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

/** Builds the ending for a fault that replaces the answer of the service; `undefined` for faults that only change it. */
export function buildFaultEnding(fault: Fault, request: ServiceRequest): RequestEnding | undefined {
  switch (fault.kind) {
    case 'drop':
      return { kind: 'silence', end: 'close' }
    case 'reset':
      return { kind: 'silence', end: 'reset' }
    case 'hang':
      return { kind: 'silence', end: 'never' }
    case 'html':
      return buildPage(fault.httpStatus)
    case 'error':
      return toSentAnswer(buildResponse(request, buildErrorBody(fault.code, fault.message)))
    case 'status':
      return buildStatusAnswer(fault, request)
    case 'redirect':
      // Checked here too, because not every rule was parsed from text: the emulator never redirects to another machine.
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
  const plain = {
    page: () => buildPage(httpStatus),
    json: () =>
      toSentAnswer(
        buildResponse(request, buildErrorBody(httpStatus, 'The service is unavailable.'), httpStatus),
      ),
    empty: () => buildTextAnswer(httpStatus, 'application/json; charset=utf-8', ''),
  }[body]()
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

/** The result of a request: its effect on the service, and what its sender gets to see. */
export interface Delivery {
  /** The number of times it was carried out. */
  readonly carriedOut: number
  /** True if the service accepted it. */
  readonly accepted: boolean
  /** The response of the service itself, to the first execution. */
  readonly response?: ServiceResponse
  readonly ending: RequestEnding
}

/** The action on the socket. */
export type RequestEnding = SentAnswer | Silence

/** An answer, or a part of one. */
export interface SentAnswer {
  readonly kind: 'answer'
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: AnswerContent
  /** The announced length, if the content has another one. */
  readonly announcedBytes?: number
  readonly waitMs?: number
  /** Interim answers before it. */
  readonly interim?: { readonly count: number; readonly everyMs: number }
  /** The connection ends after this many bytes of the content. */
  readonly cutAfterBytes?: number
  readonly bytesPerSecond?: number
}

/** No answer at all. */
interface Silence {
  readonly kind: 'silence'
  readonly end: 'close' | 'reset' | 'never'
}

/** Bytes, or generated JSON that is too large for memory. */
type AnswerContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'filler'; readonly totalBytes: number }

const [fillerBegin, fillerEnd] = ['{"filler":"', '"}'] as const

/** Makes a piece of the content of an answer; large content is never in memory as a whole. */
export function sliceContent({ content }: SentAnswer, from: number, to: number): Uint8Array {
  if (content.kind === 'bytes') return content.bytes.subarray(from, to)
  const bytes = Buffer.alloc(to - from, 'a')
  bytes.write(fillerBegin.slice(from))
  const fromEnd = content.totalBytes - fillerEnd.length
  if (to > fromEnd) bytes.write(fillerEnd.slice(Math.max(0, from - fromEnd)), Math.max(0, fromEnd - from))
  return bytes
}
