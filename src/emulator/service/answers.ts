import { type errorFields, results } from '../../contract/responses.js'
import type { EmulatorJsonObject, Json } from './json.js'
import type { ServiceRequest, ServiceResponse } from './request.js'
import type { World } from './world.js'

/**
 * The code of a rejected request. The document shows only 500 for an inaccessible location (Service §7.2); this code is
 * for all other errors. It is sent with HTTP 200, so that a client must read the body.
 */
const rejectedCode = 400

/** Makes an answer in the format that the request asked for. Service §4.0. */
export function buildResponse(
  request: ServiceRequest,
  body: EmulatorJsonObject,
  httpStatus = 200,
): ServiceResponse {
  return { httpStatus, body, pretty: isPrettyRequested(request) }
}

/** Makes the answer of `update` and `deleteAll`. Service §4.2, §4.4. */
export function buildSuccess(request: ServiceRequest): ServiceResponse {
  return buildResponse(request, { status: results.success })
}

/** Makes an error body, the same shape for every error. Service §2.2. */
export function buildErrorBody(code: number, message: string): EmulatorJsonObject {
  const error = { code, message, details: null } satisfies Record<keyof typeof errorFields, Json>
  return { error }
}

/** Answers with an error body and leaves the world unchanged. */
export function rejectRequest(
  world: World,
  request: ServiceRequest,
  { message, code = rejectedCode, httpStatus = 200, allow }: RequestRejection,
): readonly [World, ServiceResponse] {
  const refused = buildResponse(request, buildErrorBody(code, message), httpStatus)
  return [world, allow === undefined ? refused : { ...refused, allow }]
}

/** An error. Without a code it gets `rejectedCode`. */
interface RequestRejection {
  readonly message: string
  readonly code?: number
  readonly httpStatus?: number
  readonly allow?: readonly string[]
}

export const notFound: RequestRejection = {
  httpStatus: 404,
  code: 404,
  message: 'There is no such resource.',
}
/** Builds the error for a method that is not allowed. */
export function buildWrongMethod(allow: readonly string[]): RequestRejection {
  return { httpStatus: 405, code: 405, allow, message: 'The resource does not allow this method.' }
}

export function isErrorResponse(response: ServiceResponse): boolean {
  return 'error' in response.body
}

/** Formats an answer; `pjson` has line breaks and two spaces of indentation. */
export function formatAnswer(response: ServiceResponse): string {
  return response.pretty ? `${JSON.stringify(response.body, null, 2)}\n` : JSON.stringify(response.body)
}

// Also applies to rejected requests, so that people can read error bodies.
function isPrettyRequested({ query, body }: ServiceRequest): boolean {
  return [...query, ...body.parts].some(
    part => part.kind === 'text' && part.name === 'f' && part.text === 'pjson',
  )
}
