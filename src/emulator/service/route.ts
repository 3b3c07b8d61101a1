import { type OperationName, operations } from '../../contract/operations.js'
import { includes } from '../../contract/version.js'
import { isRefusal, refuse } from './answers.js'
import { configure } from './configure.js'
import { deleteAll } from './delete-all.js'
import { exportSite } from './export-site.js'
import type { Handler, ServiceRequest } from './request.js'
import { root } from './root.js'
import { update } from './update.js'
import { count } from './world.js'

/**
 * Carries a request to its operation and counts it. A path the document does not show, and an operation newer
 * than the emulated version, is not there. Service §4, §9.
 */
export const route: Handler = (world, request, now) => {
  const { operation } = request.target
  if (operation === 'unknown') return refuse(world, request, notFound)
  const received = count(world, operation, 'received')
  if (!includes(world.version, operations[operation].since)) return refuse(received, request, notFound)
  if (!methodsOf(operation).includes(request.method)) return refuse(received, request, wrongMethod)
  const [next, response] = handle(received, request, now)
  return [isRefusal(response) ? next : count(next, operation, 'accepted'), response]
}

const notFound = { httpStatus: 404, code: 404, message: 'There is no such resource.' }
const wrongMethod = { httpStatus: 405, code: 405, message: 'The resource does not allow this method.' }

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
      return refuse(world, request, notFound)
    default:
      return target satisfies never
  }
}

// How the root resource is asked for is not shown: GET is the contract's reading, POST the document's convention.
function methodsOf(operation: OperationName): readonly ServiceRequest['method'][] {
  return operation === 'root' ? ['GET', 'POST'] : [operations[operation].method]
}
