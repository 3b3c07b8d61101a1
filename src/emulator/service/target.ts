import type { OperationName } from '../../contract/operation-name.js'
import { operations } from '../../contract/operations.js'
import type { OperationTarget } from './request.js'

type FixedOperation = Exclude<OperationName, 'deleteAll'>

const fixedPaths = new Map(
  (Object.keys(operations) as OperationName[])
    .filter((name): name is FixedOperation => name !== 'deleteAll')
    .map(name => [operations[name].path as string, name]),
)

const [beforeService = '', afterService = ''] = operations.deleteAll.path.split('{service}')

/** Parses a path below the base path, as the request has it. Service §4. */
export function parseTarget(path: string): OperationTarget {
  const operation = fixedPaths.get(path === '/' ? '' : path)
  if (operation !== undefined) return { operation }
  const service = parseService(path)
  return service === undefined ? { operation: 'unknown' } : { operation: 'deleteAll', service }
}

function parseService(path: string): string | undefined {
  if (!path.startsWith(beforeService) || !path.endsWith(afterService)) return undefined
  const segment = path.slice(beforeService.length, -afterService.length)
  if (segment === '' || segment.includes('/')) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
