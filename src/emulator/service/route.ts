import type { OperationName } from '../../contract/operation-name.js'
import { operations } from '../../contract/operations.js'
import { includes } from '../../contract/versions.js'
import { inField, withReported } from '../field/route.js'
import { isRefusal, notFound, refuse, wrongMethod } from './answers.js'
import { configure } from './configure.js'
import { deleteAll } from './delete-all.js'
import { exportSite } from './export-site.js'
import type { ServiceRequest } from './request.js'
import { root } from './root.js'
import { update } from './update.js'
import { count, type Handler } from './world.js'

/** Routes a request: as documented, or also as reported. */
export const route: Handler = (world, request, now) =>
  (world.fidelity === 'field' ? reported : documented)(world, request, now)

/**
 * Routes a request to its operation and counts it. A path that the document does not show, and an operation newer than
 * the emulated version, is not found. Service §4, §9.
 */
function routing(handler: Handler): Handler {
  return (world, request, now) => {
    const { operation } = request.target
    if (operation === 'unknown') return refuse(world, request, notFound)
    const received = count(world, operation, 'received')
    if (!includes(world.version, operations[operation].since)) return refuse(received, request, notFound)
    if (!methodsOf(operation).includes(request.method))
      return refuse(received, request, wrongMethod(methodsOf(operation)))
    const [next, response] = handler(received, request, now)
    return [isRefusal(response) ? next : count(next, operation, 'accepted'), response]
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
      return refuse(world, request, notFound)
    default:
      return target satisfies never
  }
}

const documented = routing(handle)
const reported = inField(routing(withReported(handle)))

// The method of the root resource is not documented: GET is the reading of the contract, POST the document's convention.
function methodsOf(operation: OperationName): readonly ServiceRequest['method'][] {
  return operation === 'root' ? ['GET', 'POST'] : [operations[operation].method]
}
