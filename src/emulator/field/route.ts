import { tokenErrorCodes } from '../../contract/field-notes.js'
import { tokenServicePath } from '../../contract/field-operations.js'
import { answer } from '../service/answers.js'
import { isObject } from '../service/json.js'
import type { Part, ServiceRequest, ServiceResponse } from '../service/request.js'
import type { Handler } from '../service/world.js'
import { count, type World } from '../service/world.js'
import { configure } from './configure.js'
import { resourceAt } from './resources.js'
import { root } from './root.js'
import { parseServicePath } from './service-path.js'
import { isSecured, tokenError, tokenOf } from './token.js'
import { update } from './upgrades.js'

/** Adds reported behavior to the documented operations. */
export function withReported(documented: Handler): Handler {
  const reportedRoot = root(documented)
  const reportedConfigure = configure(documented)
  return (world, request, now) => {
    const { operation } = request.target
    if (operation === 'root') return reportedRoot(world, request, now)
    if (operation === 'configure') return reportedConfigure(world, request, now)
    return (operation === 'update' ? update : documented)(world, request, now)
  }
}

/** Demands a token where one is needed, and answers at reported paths, too. */
export function inField(documented: Handler): Handler {
  return (world, sent, now) => {
    const request = addressed(sent)
    const { operation } = request.target
    const problem = isOpen(request) ? undefined : tokenError(world, request, now)
    if (problem !== undefined) {
      const counted = operation === 'unknown' ? world : count(world, operation, 'received')
      return [counted, withDetails(answer(request, problem))]
    }
    const resource = resourceAt(request.path ?? '')
    const [next, response] = resource
      ? resource(world, request, now)
      : documented(world, carrying(world, request, now), now)
    return [next, withDetails(response)]
  }
}

/** True for requests that never need a token, because they come before there is one. */
function isOpen({ target, path }: ServiceRequest): boolean {
  return target.operation === 'configure' || path === `../${tokenServicePath}`
}

/** Recognizes `deleteAll` of a service in a folder, which the document does not show. */
function addressed(request: ServiceRequest): ServiceRequest {
  const place = parseServicePath(request.path ?? '')
  if (place?.operation !== 'deleteAll') return request
  return { ...request, target: { operation: 'deleteAll', service: place.service } }
}

/**
 * Moves the token to where the document has it: in the body of three operations, and nowhere else. A token that was
 * already checked is replaced by the one that the documented handler accepts.
 */
function carrying(world: World, request: ServiceRequest, now: number): ServiceRequest {
  const { method, target, body, query } = request
  if (target.operation === 'configure' || body.encoding === 'unreadable') return request
  const given = tokenOf(request)
  const token = isSecured(world, now) ? (world.token ?? given) : given
  const takes =
    target.operation === 'update' || target.operation === 'deleteAll' || target.operation === 'exportSite'
  const part: readonly Part[] =
    takes && token !== undefined ? [{ kind: 'text', name: 'token', text: token }] : []
  const encoding = part.length > 0 && body.encoding === 'none' ? 'form' : body.encoding
  return {
    ...request,
    query: method === 'GET' ? query.filter(({ name }) => name !== 'token') : query,
    body: { encoding, parts: [...body.parts.filter(({ name }) => name !== 'token'), ...part] },
  }
}

/**
 * Completes `details` of an error. It is not known which operations send a list and which send null; here only 499 has
 * null, as reported.
 */
function withDetails(response: ServiceResponse): ServiceResponse {
  const error = response.body['error']
  if (!isObject(error) || error['code'] === tokenErrorCodes.required) return response
  return { ...response, body: { error: { ...error, details: error['details'] ?? [] } } }
}
