import { operations } from '../../contract/operations.js'
import type { ServiceName } from '../../contract/service-name.js'

const { path } = operations.deleteAll

/** The path of `deleteAll` for one service. Its parts cannot hold what ends a segment; they are escaped all the same. */
export function deleteAllPath(service: ServiceName): string {
  const { folder, name, type } = service
  const segments = [...(folder === undefined ? [] : [folder]), `${name}.${type}`]
  return path.replace('{service}', segments.map(encodeURIComponent).join('/'))
}

/** Where the webhooks of a service are listed: the resource that `deleteAll` belongs to (public sources). */
export function webhooksPath(service: ServiceName): string {
  return deleteAllPath(service).replace(/\/deleteAll$/, '')
}
