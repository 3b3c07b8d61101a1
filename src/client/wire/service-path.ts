import { operations } from '../../contract/operations.js'
import type { ServiceName } from '../../contract/service-name.js'

const { path } = operations.deleteAll

/** The path of `deleteAll` for one service. Its parts cannot hold what ends a segment; they are encoded all the same. */
export function buildDeleteAllPath(service: ServiceName): string {
  const { folder, name, type } = service
  const segments = [...(folder === undefined ? [] : [folder]), `${name}.${type}`]
  return path.replace('{service}', segments.map(encodeSegment).join('/'))
}

/** Also encodes parentheses, because some proxies reject them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29')
}

/** The path that lists the webhooks of a service: the resource that `deleteAll` belongs to (public sources). */
export function buildWebhooksPath(service: ServiceName): string {
  return buildDeleteAllPath(service).replace(/\/deleteAll$/, '')
}
