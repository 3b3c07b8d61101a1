import { tokenErrorCodes } from '../../contract/field-notes.js'
import { tokenServicePath } from '../../contract/field-operations.js'
import { buildResponse } from '../service/answers.js'
import { isObject } from '../service/json.js'
import type { RequestPart, ServiceRequest, ServiceResponse } from '../service/request.js'
import type { Handler } from '../service/world.js'
import { countRequest, type World } from '../service/world.js'
import { configure } from './configure.js'
import { findResource } from './resources.js'
import { root } from './root.js'
import { parseServicePath } from './service-path.js'
import { checkIssuedToken, isSecured, readToken } from './token.js'
import { update } from './upgrades.js'

/** Adds reported behavior to the documented operations. */
export function addReportedOperations(documented: Handler): Handler {
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
export function addFieldBehavior(documented: Handler): Handler {
  return (world, sent, now) => {
    const request = recognizeFolderService(sent)
    const { operation } = request.target
    const problem = isOpen(request) ? undefined : checkIssuedToken(world, request, now)
    if (problem !== undefined) {
      const counted = operation === 'unknown' ? world : countRequest(world, operation, 'received')
      return [counted, addDetails(buildResponse(request, problem))]
    }
    const resource = findResource(request.path ?? '')
    const [next, response] = resource
      ? resource(world, request, now)
      : documented(world, moveToken(world, request, now), now)
    return [next, addDetails(response)]
  }
}

/** True for requests that never need a token, because they come before there is one. */
function isOpen({ target, path }: ServiceRequest): boolean {
  return target.operation === 'configure' || path === `../${tokenServicePath}`
}

/** Recognizes `deleteAll` of a service in a folder, which the document does not show. */
function recognizeFolderService(request: ServiceRequest): ServiceRequest {
  const place = parseServicePath(request.path ?? '')
  if (place?.operation !== 'deleteAll') return request
  return { ...request, target: { operation: 'deleteAll', service: place.service } }
}

/**
 * Moves the token to where the document has it: in the body of three operations, and nowhere else. A token that was
 * already checked is replaced by the one that the documented handler accepts.
 */
function moveToken(world: World, request: ServiceRequest, now: number): ServiceRequest {
  const { method, target, body, query } = request
  if (target.operation === 'configure' || body.encoding === 'unreadable') return request
  const given = readToken(request)
  const token = isSecured(world, now) ? (world.token ?? given) : given
  const takes =
    target.operation === 'update' || target.operation === 'deleteAll' || target.operation === 'exportSite'
  const part: readonly RequestPart[] =
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
function addDetails(response: ServiceResponse): ServiceResponse {
  const error = response.body['error']
  if (!isObject(error) || error['code'] === tokenErrorCodes.required) return response
  return { ...response, body: { error: { ...error, details: error['details'] ?? [] } } }
}
