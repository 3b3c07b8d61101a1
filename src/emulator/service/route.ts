import { tokenServicePath } from '../../contract/field-notes.js'
import { operations } from '../../contract/operations.js'
import type { OperationName } from '../../contract/parameter.js'
import { includes } from '../../contract/versions.js'
import { addFieldBehavior, addReportedOperations } from '../field/route.js'
import { generateAnyToken } from '../field/token.js'
import { buildWrongMethod, isErrorResponse, notFound, rejectRequest } from './answers.js'
import { configure } from './configure.js'
import { deleteAll } from './delete-all.js'
import { exportSite } from './export-site.js'
import type { ServiceRequest } from './request.js'
import { root } from './root-answer.js'
import { update } from './update.js'
import { countRequest, type Handler } from './world.js'

/** Routes a request: as documented, or also as reported. */
export const route: Handler = (world, request, now) =>
  (world.fidelity === 'field' ? reported : documented)(world, request, now)

/**
 * Routes a request to its operation and counts it. Undocumented paths, and operations newer than the emulated version,
 * are not found. Service §4, §9.
 */
function routeTo(handler: Handler): Handler {
  return (world, request, now) => {
    const { operation } = request.target
    if (operation === 'unknown') return rejectRequest(world, request, notFound)
    const received = countRequest(world, operation, 'received')
    if (!includes(world.version, operations[operation].since))
      return rejectRequest(received, request, notFound)
    if (!listMethods(operation).includes(request.method))
      return rejectRequest(received, request, buildWrongMethod(listMethods(operation)))
    const [next, response] = handler(received, request, now)
    return [isErrorResponse(response) ? next : countRequest(next, operation, 'accepted'), response]
  }
}

const handle: Handler = (world, request, now) => {
  const { target } = request
  switch (target.operation) {
    case 'root':
      return root(world, request, now)
    case 'configure':
      return configure(world, request, now)
    case 'update':
      return update(world, request, now)
    case 'exportSite':
      return exportSite(world, request, now)
    case 'deleteAll':
      return deleteAll(world, { ...request, target }, now)
    case 'unknown':
      return rejectRequest(world, request, notFound)
    default:
      return target satisfies never
  }
}

const routed = routeTo(handle)
/** Adds the reported token service: the document shows no way to obtain a token, but clients sign in before they update. */
const documented: Handler = (world, request, now) =>
  request.path === `../${tokenServicePath}`
    ? generateAnyToken(world, request, now)
    : routed(world, request, now)
const reported = addFieldBehavior(routeTo(addReportedOperations(handle)))

// The method of the root resource is not documented: the contract reads it with GET; POST is the document's convention.
function listMethods(operation: OperationName): readonly ServiceRequest['method'][] {
  return operation === 'root' ? ['GET', 'POST'] : [operations[operation].method]
}
