import type { errorFields } from '../../contract/responses.js'
import { results } from '../../contract/states.js'
import type { Json, JsonObject } from './json.js'
import type { ServiceRequest, ServiceResponse } from './request.js'
import type { World } from './world.js'

/**
 * The code of a refused request. The document shows no code but 500 for an inaccessible location (Service §7.2);
 * this one stands for all it does not show. It travels with HTTP 200, so that a client has to look at the body.
 */
const refusedCode = 400

/** An answer in the format that the request asked for. Service §4.0. */
export function answer(request: ServiceRequest, body: JsonObject, httpStatus = 200): ServiceResponse {
  return { httpStatus, body, pretty: wantsPretty(request) }
}

/** What `update` and `deleteAll` answer. Service §4.2, §4.4. */
export function success(request: ServiceRequest): ServiceResponse {
  return answer(request, { status: results.success })
}

/** The error body, the one shape of every refusal. Service §2.2. */
export function errorBody(code: number, message: string): JsonObject {
  const error = { code, message, details: null } satisfies Record<keyof typeof errorFields, Json>
  return { error }
}

/** Leaves the world alone and answers with an error body. */
export function refuse(
  world: World,
  request: ServiceRequest,
  { message, code = refusedCode, httpStatus = 200, allow }: Refusal,
): readonly [World, ServiceResponse] {
  const refused = answer(request, errorBody(code, message), httpStatus)
  return [world, allow === undefined ? refused : { ...refused, allow }]
}

/** Why a request is refused; without a code it gets the one for all that the document does not show. */
export interface Refusal {
  readonly message: string
  readonly code?: number
  readonly httpStatus?: number
  readonly allow?: readonly string[]
}

export const notFound: Refusal = { httpStatus: 404, code: 404, message: 'There is no such resource.' }
/** The refusal of every method but some. */
export function wrongMethod(allow: readonly string[]): Refusal {
  return { httpStatus: 405, code: 405, allow, message: 'The resource does not allow this method.' }
}

/** True when an answer carries an error body. */
export function isRefusal(response: ServiceResponse): boolean {
  return 'error' in response.body
}

/** The text of an answer; `pjson` has line ends and two spaces. */
export function formatAnswer(response: ServiceResponse): string {
  return response.pretty ? `${JSON.stringify(response.body, null, 2)}\n` : JSON.stringify(response.body)
}

// Also right for a request that is refused for something else, so that its error body is readable too.
function wantsPretty({ query, body }: ServiceRequest): boolean {
  return [...query, ...body.parts].some(
    part => part.kind === 'text' && part.name === 'f' && part.text === 'pjson',
  )
}
