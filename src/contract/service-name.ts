import { webhookServiceTypes } from './operations.js'

/** A service as the path of an operation names it. Service §4.2; services in folders are from public sources. */
export interface ServiceName {
  readonly folder?: string
  readonly name: string
  readonly type: (typeof webhookServiceTypes)[number]
}

/**
 * What may stand between two slashes of a path, in any script; it begins with no dot, so that no name leads anywhere
 * else. Slashes, percent signs and what nobody sees are not among it. Which names the service allows is not shown.
 */
const segment = /^[\p{L}\p{N}_(][\p{L}\p{M}\p{N}_ .()-]{0,119}$/u

/**
 * Reads `<ServiceName>.<ServiceType>` or `<Folder>/<ServiceName>.<ServiceType>`; `undefined` for anything else. Webhooks
 * belong to a geoprocessing or a feature service, so that another type is a mistake. Service §1, §4.2.
 */
export function parseServiceName(text: string): ServiceName | undefined {
  const slash = text.indexOf('/')
  const dot = text.lastIndexOf('.')
  const name = text.slice(slash + 1, Math.max(dot, 0))
  const type = webhookServiceTypes.find(known => known === text.slice(dot + 1))
  if (type === undefined || !segment.test(name)) return undefined
  if (slash === -1) return { name, type }
  const folder = text.slice(0, slash)
  return segment.test(folder) ? { folder, name, type } : undefined
}

/** The name as people write it. */
export function formatServiceName({ folder, name, type }: ServiceName): string {
  return `${folder === undefined ? '' : `${folder}/`}${name}.${type}`
}
