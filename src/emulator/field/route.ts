import {
  reportedBuilds,
  reportedResources,
  reportedSiteStates,
  reportedStageSpellings,
  tokenErrorCodes,
  tokenServicePath,
} from '../../contract/field-notes.js'
import { logLevelField } from '../../contract/field-row.js'
import { rootResources, siteStates } from '../../contract/responses.js'
import { buildResponse, isErrorResponse } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, type Json, member, parseJson } from '../service/json.js'
import type { RequestPart, ServiceRequest, ServiceResponse } from '../service/request.js'
import { isSettling } from '../service/site-state.js'
import { countRequest, type Handler, type World } from '../service/world.js'
import { findResource } from './resources.js'
import { checkIssuedToken, isSecured, readAdministrator, readToken } from './token.js'
import { update } from './upgrades.js'
import { parseServicePath } from './webhooks.js'

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

/** Requires a token where needed, and also answers at reported paths. */
export function addFieldBehavior(documented: Handler): Handler {
  return (world, sent, now) => {
    const request = recognizeFolderService(sent)
    const { operation } = request.target
    // These never need a token: clients call them before they can have one.
    const isOpen = operation === 'configure' || request.path === `../${tokenServicePath}`
    const problem = isOpen ? undefined : checkIssuedToken(world, request, now)
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

/** Recognizes `deleteAll` of a service in a folder, which the document does not show. */
function recognizeFolderService(request: ServiceRequest): ServiceRequest {
  const place = parseServicePath(request.path ?? '')
  if (place?.operation !== 'deleteAll') return request
  return { ...request, target: { operation: 'deleteAll', service: place.service } }
}

/**
 * Moves the token to its documented place, the body of three operations, and removes it from other requests. Once
 * tokens are checked, replaces it with the one that the documented handler accepts.
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

/** Completes `details` of an error: null for 499, as reported, and otherwise a list. Which errors have null is not known. */
function addDetails(response: ServiceResponse): ServiceResponse {
  const error = response.body['error']
  if (!isObject(error) || error['code'] === tokenErrorCodes.required) return response
  return { ...response, body: { error: { ...error, details: error['details'] ?? [] } } }
}

/**
 * Begins a configuration as documented, and stores the administrator whose tokens will be valid.
 *
 * Reported: an empty log level counts as absent. Not known: the answer to a `configure` after a failed one; it is
 * rejected like any second one.
 */
const configure =
  (documented: Handler): Handler =>
  (world, request, now) => {
    const { body } = request
    const sent =
      body.encoding === 'unreadable'
        ? request
        : { ...request, body: { ...body, parts: body.parts.filter(part => !isEmptyLogLevel(part)) } }
    const [next, response] = documented(world, sent, now)
    if (isErrorResponse(response)) return [next, response]
    const administrator = readAdministrator(request, world.field.key)
    return [{ ...next, field: { ...next.field, administrator } }, response]
  }

function isEmptyLogLevel(part: RequestPart): boolean {
  if (part.kind !== 'text' || part.name !== 'logSettings') return false
  const settings = parseJson(part.text)
  return isObject(settings) && Object.keys(settings).length === 1 && settings[logLevelField] === ''
}

/** Answers as documented, with the reported states and spellings. */
export const root =
  (documented: Handler): Handler =>
  (world, request, now) => {
    const [next, response] = documented(world, request, now)
    if (isErrorResponse(response)) return [next, response]
    const { body } = response
    const version = body['fullVersion']
    const reported = {
      ...body,
      resources: [...rootResources, ...reportedResources],
      status: buildReportedStatus(body['status'], isSettling(world, now)),
      // Version and build are one text; an unknown build is 0.
      info: { build: `${version}.${reportedBuilds.get(String(version)) ?? 0}` },
    }
    return [next, buildResponse(request, reported)]
  }

/** Makes the reported status; before a configuration it has no message and no stages. */
function buildReportedStatus(status: Json | undefined, isSettled: boolean): EmulatorJsonObject {
  if (!isObject(status) || status['state'] === undefined) return { state: reportedSiteStates.notConfigured }
  const message = 'The organization was created and is not ready yet.'
  if (isSettled) return { ...status, state: reportedSiteStates.configured, message }
  if (status['state'] === siteStates.done) return status
  // While a configuration runs, and after it failed, some names are capitalized differently than at the end.
  const stages = member(status, 'stages') as readonly EmulatorJsonObject[]
  const spellings: Readonly<Record<string, string>> = reportedStageSpellings
  const respelled = stages.map(one => ({
    ...one,
    name: spellings[String(one['name'])] ?? one['name'] ?? null,
  }))
  return { ...status, stages: respelled }
}
